import { FolderPlus, TriangleAlert } from 'lucide'
import { useState } from 'preact/hooks'
import type { RulesShown } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { HeldApproval } from '../parts/held-approval.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { AddFolder } from './add-folder.tsx'
import { DefaultRules } from './default-rules.tsx'
import { ExplainLine } from './explain-line.tsx'
import { KeptDeclines } from './kept-declines.tsx'
import { Part } from './part.tsx'
import { Project } from './project.tsx'
import { NEVER_AUTO } from './rule-words.ts'
import { useRules } from './use-rules.ts'

/** What runs without asking, where each rule comes from and whether it counts; and where the person changes that. */
export function Rules({ controller }: { controller: WindowController }) {
  const { rules, look } = useRules(controller)
  const { scopes } = controller.state.value
  return (
    <PageFrame name="rules" title="Rules">
      <div class="max-w-3xl space-y-8">
        {rules && <Notices rules={rules} />}
        {rules && <ExplainLine controller={controller} rules={rules} changed={look} />}
        <Projects controller={controller} rules={rules} changed={look} />
        <Part
          title="Allowed for now"
          note="Approvals that hold for a while. They end by themselves, at the latest with the host."
        >
          {scopes.length === 0 && <p class="text-soft">None.</p>}
          <ul class="space-y-1">
            {scopes.map(scope => (
              <HeldApproval key={scope.scope_id} controller={controller} scope={scope} />
            ))}
          </ul>
        </Part>
        <KeptDeclines controller={controller} />
        <DefaultRules controller={controller} />
      </div>
    </PageFrame>
  )
}

/** What is wrong with the files, before anything else: until it is fixed rules may not count. */
function Notices({ rules: { projects, auto_approve } }: { rules: RulesShown }) {
  const broken = projects.flatMap(({ files }) => files.filter(({ problem }) => problem !== null))
  const outside = projects.flatMap(({ workspace_id, files }) => {
    const count = files.flatMap(({ patterns }) => patterns).filter(({ idle }) => idle?.startsWith('added from outside'))
    return count.length > 0 ? [{ workspace_id, count: count.length }] : []
  })
  const notices = [
    ...(auto_approve === 'never' ? [NEVER_AUTO] : []),
    ...broken.map(({ file, problem }) => `${file} ${problem}. Until it is fixed no rule counts in its project.`),
    ...outside.map(
      ({ workspace_id, count }) =>
        `In ${workspace_id} ${count === 1 ? 'a rule was' : `${count} rules were`} written into the files from outside. ${count === 1 ? 'It does' : 'They do'} not count unless you allow ${count === 1 ? 'it' : 'them'}.`,
    ),
  ]
  if (notices.length === 0) return null
  return (
    <ul class="space-y-1.5 rounded-xl border border-rim bg-[var(--open-wash)] px-4 py-2.5 text-open" data-rule-notices>
      {notices.map(text => (
        <li key={text} class="flex items-baseline gap-2">
          <span class="translate-y-0.5">
            <Icon of={TriangleAlert} size={14} />
          </span>
          <span class="min-w-0">
            <Drawn text={text} as="prose" />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Projects(props: { controller: WindowController; rules: RulesShown | null; changed: () => Promise<void> }) {
  const { controller, rules, changed } = props
  const [adds, setAdds] = useState(false)
  return (
    <Part title="Projects" note="A rule counts only inside its project’s folder.">
      <div class="space-y-4">
        {rules?.projects.length === 0 && (
          <p class="text-soft">None yet. Approving a command for a project, or adding a folder here, makes one.</p>
        )}
        {rules?.projects.map(project => (
          <Project
            key={project.workspace_id}
            controller={controller}
            project={project}
            changed={changed}
            noSandbox={rules.no_sandbox}
          />
        ))}
        {adds ? (
          <AddFolder controller={controller} changed={changed} onClose={() => setAdds(false)} />
        ) : (
          <button type="button" class="button button-small" data-add-folder onClick={() => setAdds(true)}>
            <Icon of={FolderPlus} size={14} /> Add a folder…
          </button>
        )}
      </div>
    </Part>
  )
}
