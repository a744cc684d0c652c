import { FlaskConical } from 'lucide'
import { useState } from 'preact/hooks'
import { TRY_MEANS } from '../../approving/change-words.ts'
import type { RuledProject } from '../../contract/window/rules-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { SureDialog } from '../parts/sure-dialog.tsx'

export interface SandboxProps {
  /** Why nothing can be tried on this machine; null: it can. */
  readonly noSandbox: string | null
}

interface TryFirstProps extends SandboxProps {
  readonly controller: WindowController
  readonly project: RuledProject
  readonly changed: () => Promise<void>
}

/** Whether what no rule covers is tried in the sandbox there. What it means is said first; switching it off counts at once. */
export function TryFirst({ controller, project, changed, noSandbox }: TryFirstProps) {
  const { directory, trusted, tries } = project
  const [asks, setAsks] = useState(false)
  if (directory === null) return null
  const set = async (next: boolean): Promise<void> => {
    const reply = await controller.ask({ type: 'project_set', directory, trusted, tries: next })
    if (reply?.type !== 'done') return
    if (!next) controller.say('plain', 'What no rule covers needs approval there again.')
    await changed()
  }
  const isOff = tries && noSandbox !== null
  return (
    <>
      <span class={`pill gap-1 ${tries && !isOff ? 'pill-good' : 'pill-plain'}`} data-tries-state={tries}>
        <Icon of={FlaskConical} size={12} /> {isOff ? 'cannot try' : tries ? 'tries first' : 'asks first'}
      </span>
      <button
        type="button"
        class="ghost h-7 text-[12.5px] underline"
        onClick={() => (tries ? void set(false) : setAsks(true))}
      >
        {tries ? 'Stop trying' : 'Try first…'}
      </button>
      {isOff && (
        <p class="w-full text-[13px] text-open" data-no-sandbox>
          Nothing is tried: <Drawn text={noSandbox ?? ''} as="prose" />.
        </p>
      )}
      {asks && (
        <SureDialog
          title="Try first in this folder?"
          does="Try first"
          tone="main"
          frame={{ 'data-tries-dialog': true }}
          mark={{ 'data-tries-sure': true }}
          onSure={() => void set(true)}
          onClose={() => setAsks(false)}
        >
          <p class="font-mono text-[13px]">
            <Drawn text={directory} exact />
          </p>
          <p class="mt-2">{TRY_MEANS}</p>
          {noSandbox !== null && (
            <p class="mt-2 text-open">
              Not on this machine yet: <Drawn text={noSandbox} as="prose" />.
            </p>
          )}
        </SureDialog>
      )}
    </>
  )
}
