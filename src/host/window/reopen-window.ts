import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import type { Presence } from '../questions/presence.ts'
import type { Windows } from './windows.ts'

export interface ReopenDeps {
  readonly clock: Clock
  readonly queue: Pick<ApprovalQueue, 'listen' | 'pending'>
  readonly presence: Pick<Presence, 'count' | 'watch' | 'call'>
  readonly windows: Pick<Windows, 'count' | 'onArrival'>
  readonly show: () => void
}

/** A page that lost its connection is back sooner than this. */
const COMES_BACK_WITHIN_MS = 1500

/**
 * A window that was there and is gone comes back when it is needed: at the next question, also while somebody else could answer
 * in a terminal; and when the last who could answer has gone while a question is open, once for each question.
 */
export function reopenWindow({ clock, queue, presence, windows, show }: ReopenDeps): Disposable {
  const life = new Disposables()
  const reopenedFor = new Set<string>()
  let hadWindow = false
  let waiting: Disposable = { dispose() {} }

  life.add(
    windows.onArrival(() => {
      hadWindow = true
    }),
  )
  // With nobody there at all whoever asks calls somebody.
  const isMissed = () => hadWindow && windows.count === 0 && presence.count > 0
  const over = (askId: string) => void reopenedFor.delete(askId)
  life.add(queue.listen({ asked: () => isMissed() && show(), answered: over, withdrawn: over }))

  const callBack = () => {
    const alone = queue.pending.filter(({ ask_id }) => !reopenedFor.has(ask_id))
    if (presence.count > 0 || alone.length === 0) return
    for (const { ask_id } of alone) reopenedFor.add(ask_id)
    presence.call()
  }
  let before = presence.count
  life.add(
    presence.watch(() => {
      waiting.dispose()
      if (before > 0 && presence.count === 0) waiting = clock.after(COMES_BACK_WITHIN_MS, callBack)
      before = presence.count
    }),
  )
  life.defer(() => waiting.dispose())
  return life
}
