import { Plus } from 'lucide'
import { useState } from 'preact/hooks'
import type { RuledProject, RuleFile } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { ruleReach } from '../drawing/rule-reach.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { AddRule } from './add-rule.tsx'
import { LAYER_WORDS } from './rule-words.ts'

/** The patterns of one file, whether each counts, and what a person can do with them. */
export function RuleFileView(props: {
  readonly controller: WindowController
  readonly project: RuledProject
  readonly file: RuleFile
  readonly changed: () => Promise<void>
}) {
  const { controller, project, file, changed } = props
  const { workspace_id } = project
  const { layer, patterns, problem } = file
  const [adds, setAdds] = useState<string | null>(null)
  const canChange = project.problem === null && problem === null
  const remove = async (pattern: string): Promise<void> => {
    await controller.ask({ type: 'rules_change', workspace_id, layer, added: [], removed: [pattern] })
    await changed()
  }
  return (
    <div data-layer={layer}>
      <h4 class="text-[13px] font-semibold">{LAYER_WORDS[layer].title}</h4>
      <p class="text-[12.5px] text-soft">
        {LAYER_WORDS[layer].note}{' '}
        <span title={file.file} class="font-mono text-[12px]">
          {file.file.split('/').at(-1)}
        </span>
      </p>
      {problem !== null && (
        <p class="mt-1 text-[13px] text-grave" data-file-problem>
          This file <Drawn text={problem} as="prose" />. Until it is fixed no rule counts here.
        </p>
      )}
      <ul class="mt-1">
        {patterns.map(({ pattern, idle }) => (
          <li
            key={pattern}
            class="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-line py-1 not-first:border-t"
            data-pattern={pattern}
          >
            <code class={`min-w-0 grow font-mono text-[13px] ${idle === null ? '' : 'text-soft line-through'}`}>
              <Drawn text={pattern} exact />
            </code>
            <span class={`text-[12.5px] ${idle === null ? 'text-soft' : 'text-open'}`} data-counts={idle === null}>
              {idle === null ? ruleReach(pattern) : <Drawn text={`Does not count: ${idle}.`} as="prose" />}
            </span>
            {canChange && (
              <span class="flex gap-1">
                {idle !== null && (
                  <button
                    type="button"
                    class="ghost h-7 text-[12.5px] underline"
                    aria-label={`Allow ${pattern}…`}
                    onClick={() => setAdds(pattern)}
                  >
                    Allow…
                  </button>
                )}
                <button
                  type="button"
                  class="ghost h-7 text-[12.5px] underline"
                  aria-label={`Remove ${pattern}`}
                  onClick={() => void remove(pattern)}
                >
                  Remove
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {canChange &&
        (adds === null ? (
          <button
            type="button"
            class="ghost h-7 text-[12.5px]"
            aria-label={`Add a rule to ${LAYER_WORDS[layer].title} of ${workspace_id}`}
            data-add-rule
            onClick={() => setAdds('')}
          >
            <Icon of={Plus} size={13} /> Add a rule
          </button>
        ) : (
          <AddRule
            key={adds}
            controller={controller}
            place={{ workspace_id, layer }}
            first={adds}
            changed={changed}
            onClose={() => setAdds(null)}
          />
        ))}
    </div>
  )
}
