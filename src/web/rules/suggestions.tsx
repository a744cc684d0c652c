import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import type { LineExplained } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { AddRule } from './add-rule.tsx'

/** Rules that would cover the line, narrowest first; each is one press and its confirmation away. */
export function Suggestions(props: {
  readonly controller: WindowController
  readonly explained: NonNullable<LineExplained['explained']>
  readonly changed: () => Promise<void>
}) {
  const { controller, changed } = props
  const { suggestions, project } = props.explained
  const [chosen, choose] = useState<string | null>(null)
  if (suggestions.length === 0) return null
  const makesProject = (): void =>
    void controller
      .ask({ type: 'project_set', directory: project.directory, trusted: false })
      .then(reply => (reply?.type === 'done' ? changed() : undefined))
  return (
    <div class="mt-3" data-suggestions>
      <h3 class="label mb-1">A rule that would cover it, the narrowest first</h3>
      <ul>
        {suggestions.map(({ pattern, also_allows }) => (
          <li key={pattern} class="flex items-center gap-3 border-line py-1 not-first:border-t">
            <span class="min-w-0 grow">
              <code class="mr-3 font-mono text-[13px]">
                <Drawn text={pattern} />
              </code>
              <span class="text-[12.5px] text-soft">
                also allows: <Drawn text={also_allows} as="prose" />
              </span>
            </span>
            {project.kind === 'bound' && (
              <button
                type="button"
                class="ghost h-7 text-[12.5px] underline"
                aria-label={`Make it a rule… ${pattern}`}
                data-take={pattern}
                onClick={() => choose(pattern)}
              >
                Make it a rule…
              </button>
            )}
          </li>
        ))}
      </ul>
      {project.kind === 'offered' && (
        <button type="button" class="button button-small mt-1" data-make-project onClick={makesProject}>
          <Icon of={Plus} size={13} /> Make <Drawn text={project.directory} /> a project, so that it can have rules
        </button>
      )}
      {project.kind === 'none' && (
        <p class="text-[13px] text-soft">
          No rule can be kept for <Drawn text={project.directory} />: <Drawn text={project.why_not ?? ''} as="prose" />.
        </p>
      )}
      {chosen !== null && project.id !== null && (
        <AddRule
          key={chosen}
          controller={controller}
          place={{ workspace_id: project.id, layer: 'base' }}
          first={chosen}
          changed={changed}
          onClose={() => choose(null)}
        />
      )}
    </div>
  )
}
