import { ShieldCheck, ShieldOff } from 'lucide'
import { useState } from 'preact/hooks'
import { TRUST_MEANS } from '../../approving/choices.ts'
import type { RuledProject } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { SureDialog } from '../parts/sure-dialog.tsx'
import { RuleFileView } from './rule-file.tsx'
import { TRUST_ENDS } from './rule-words.ts'
import { type SandboxProps, TryFirst } from './try-first.tsx'

interface ProjectProps {
  readonly controller: WindowController
  readonly project: RuledProject
  /** Something was changed here: look again. */
  readonly changed: () => Promise<void>
}

/** One project: its folder, whether it is trusted, and its two files of rules. */
export function Project({ controller, project, changed, noSandbox }: ProjectProps & SandboxProps) {
  const { workspace_id, directory, problem, claims_trust, files } = project
  return (
    <section class="rounded-xl border border-line" aria-label={`Project ${workspace_id}`} data-project={workspace_id}>
      <header class="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-2.5">
        <h3 class="text-[14.5px] font-semibold">
          <Drawn text={workspace_id} />
        </h3>
        <code class="min-w-0 grow font-mono text-[12.5px] text-soft">
          {directory === null ? 'no folder' : <Drawn text={directory} exact />}
        </code>
        {problem === null && <Trust controller={controller} project={project} changed={changed} />}
        {problem === null && (
          <TryFirst controller={controller} project={project} changed={changed} noSandbox={noSandbox} />
        )}
      </header>
      {problem !== null && (
        <p class="px-4 pt-2.5 text-[13px] text-open" data-project-problem>
          <Drawn text={problem} as="prose" />
        </p>
      )}
      {claims_trust && (
        <p class="px-4 pt-2.5 text-[13px] text-open" data-claims-trust>
          Its file says that it is trusted. You have not said so, and it does not count.
        </p>
      )}
      <div class="space-y-4 px-4 py-3">
        {files.map(file => (
          <RuleFileView key={file.layer} controller={controller} project={project} file={file} changed={changed} />
        ))}
      </div>
    </section>
  )
}

/** Giving trust is said first and done by the second press; taking it away counts at once. */
function Trust({ controller, project: { directory, trusted }, changed }: ProjectProps) {
  const [asks, setAsks] = useState(false)
  if (directory === null) return null
  const set = async (next: boolean): Promise<void> => {
    const reply = await controller.ask({ type: 'project_set', directory, trusted: next })
    if (reply?.type !== 'done') return
    if (!next) controller.say('plain', `No longer trusted. ${TRUST_ENDS}`)
    await changed()
  }
  return (
    <>
      <span class={`pill gap-1 ${trusted ? 'pill-good' : 'pill-plain'}`} data-trust-state={trusted}>
        <Icon of={trusted ? ShieldCheck : ShieldOff} size={12} /> {trusted ? 'trusted' : 'not trusted'}
      </span>
      <button
        type="button"
        class="ghost h-7 text-[12.5px] underline"
        onClick={() => (trusted ? void set(false) : setAsks(true))}
      >
        {trusted ? 'Stop trusting' : 'Trust…'}
      </button>
      {asks && (
        <SureDialog
          title="Trust this folder?"
          does="Trust"
          tone="main"
          frame={{ 'data-trust-dialog': true }}
          mark={{ 'data-trust-sure': true }}
          onSure={() => void set(true)}
          onClose={() => setAsks(false)}
        >
          <p class="font-mono text-[13px]">
            <Drawn text={directory} exact />
          </p>
          <p class="mt-2">{TRUST_MEANS}</p>
        </SureDialog>
      )}
    </>
  )
}
