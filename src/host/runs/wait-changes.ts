import type { Watchers } from '../../base/watchers.ts'
import type { WaitState } from '../../contract/wait-state.ts'
import type { Run } from '../../runs/run/run.ts'
import type { ApprovalPort } from '../gate/approval-port.ts'

/**
 * Whoever looks on hears when the program begins to wait for something else than before, until it is over. A password is the
 * person's to type: if nobody is there, a window is opened for it.
 */
export function notifyOfWaits(run: Run, approvals: ApprovalPort, watchers: Pick<Watchers, 'notify'>): void {
  let before: WaitState = 'none'
  const watching = run.watch(() => {
    if (run.over) return watching.dispose()
    // Not known for a moment after each output: that is no change.
    const now = run.waiting?.now?.state ?? before
    if (now === before) return
    before = now
    if (now === 'secret') void approvals.present(new AbortController().signal)
    watchers.notify()
  })
}
