import type { Clock } from '../base/clock.ts'
import { type Disposable, Disposables } from '../base/disposable.ts'

/** Calls `onIdle` once when nothing has happened for so long: no run, question, client or approver. 0: never. */
export function idleWatch(options: {
  readonly clock: Clock
  /** 0: it does not end by itself. */
  readonly idleMs: () => number
  /** Whenever that may be another. */
  readonly onChange: (changed: () => void) => Disposable
  readonly busy: () => boolean
  readonly onIdle: () => void
}): Disposable {
  const { clock, idleMs, busy, onIdle } = options
  let busyAt = clock.elapsed()
  let timer: Disposable = { dispose() {} }
  const look = () => {
    if (busy()) busyAt = clock.elapsed()
    if (clock.elapsed() - busyAt >= idleMs()) onIdle()
    else start()
  }
  const start = () => {
    timer.dispose()
    if (idleMs() > 0) timer = clock.after(Math.min(1000, idleMs() / 4), look)
  }

  const life = new Disposables()
  life.add(
    options.onChange(() => {
      // What counts is the rest from now on, not one that nobody looked at.
      busyAt = clock.elapsed()
      start()
    }),
  )
  life.defer(() => timer.dispose())
  start()
  return life
}
