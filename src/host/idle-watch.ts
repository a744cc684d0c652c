import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'

/** Calls `onIdle` once when nothing has happened for so long: no run, question, client or approver. 0: never. */
export function idleWatch(options: {
  readonly clock: Clock
  readonly idleMs: number
  readonly busy: () => boolean
  readonly onIdle: () => void
}): Disposable {
  const { clock, idleMs, busy, onIdle } = options
  if (idleMs === 0) return { dispose() {} }
  const lookEveryMs = Math.min(1000, idleMs / 4)
  let busyAt = clock.elapsed()
  let timer: Disposable = { dispose() {} }
  const look = () => {
    if (busy()) busyAt = clock.elapsed()
    if (clock.elapsed() - busyAt >= idleMs) onIdle()
    else timer = clock.after(lookEveryMs, look)
  }
  timer = clock.after(lookEveryMs, look)
  return { dispose: () => timer.dispose() }
}
