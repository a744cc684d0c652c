import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import type { Presence } from '../questions/presence.ts'
import { addressOf, type Caller, type ClientRequest } from './caller.ts'

const PROGRESS_EVERY_MS = 1000

/** That something waits for approval, every second. */
export function reportAsking(
  { clock, queue, presence }: { readonly clock: Clock; readonly queue: ApprovalQueue; readonly presence: Presence },
  frame: ClientRequest,
  caller: Caller,
  what: string,
): Disposable {
  const began = clock.elapsed()
  let timer: Disposable = { dispose() {} }
  const report = () => {
    const elapsed_ms = Math.round(clock.elapsed() - began)
    const ahead = queue.ahead(frame.request_id)
    const phase = presence.count === 0 ? 'waiting_for_approver' : 'awaiting_approval'
    const message = `waiting for approval of ${what}, ${Math.round(elapsed_ms / 1000)} s, ${ahead} ahead`
    caller.reply({ type: 'progress', ...addressOf(frame), phase, elapsed_ms, ahead, message }, 'soon')
    timer = clock.after(PROGRESS_EVERY_MS, report)
  }
  timer = clock.after(PROGRESS_EVERY_MS, report)
  return { dispose: () => timer.dispose() }
}
