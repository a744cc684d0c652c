import type { FromKeeper, ToKeeper } from './keeper.worker.ts'
import keeperUrl from './keeper.worker.ts?sharedworker&url'
import type { Credential } from './prove.ts'

/** The page's end of the worker that carries its secret over a reload. Where there is none, a reload needs a new window. */
export interface Keeper {
  keep(credential: Credential): void
  /** What this tab had before it was loaded again; null when it had nothing, or too long ago. */
  give(): Promise<Credential | null>
}

const GIVEN_WITHIN_MS = 1500
const TAB = 'interactive-terminal.tab'

export function openKeeper(): Keeper | null {
  if (!('SharedWorker' in window)) return null
  const worker = new SharedWorker(trusted(keeperUrl), {
    type: 'module',
    name: 'keeper',
    extendedLifetime: true,
  } as WorkerOptions)
  const say = (message: ToKeeper): void => worker.port.postMessage(message)
  const tab = tabName()
  worker.port.start()
  window.addEventListener('pagehide', () => say({ type: 'leave', tab }))
  return {
    keep: credential => say({ type: 'keep', tab, credential }),
    give: () =>
      new Promise(resolve => {
        setTimeout(() => resolve(null), GIVEN_WITHIN_MS)
        worker.port.addEventListener('message', ({ data }: MessageEvent<FromKeeper>) => resolve(data.credential))
        say({ type: 'give', tab })
      }),
  }
}

/** Distinguishes tabs and is no secret: whoever knows it still has to be a page of ours, in that tab, right after it left. */
function tabName(): string {
  const known = sessionStorage.getItem(TAB)
  const name = known ?? crypto.randomUUID()
  if (!known) sessionStorage.setItem(TAB, name)
  return name
}

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

/** The one address of a script that this page names itself. */
function trusted(url: string): string {
  const { trustedTypes } = window as { trustedTypes?: Policies }
  return trustedTypes?.createPolicy('keeper', { createScriptURL: only => only }).createScriptURL(url) ?? url
}
