import type { Clock } from '../clock.ts'
import type { Disposable } from '../disposable.ts'
import type { Link } from './link.ts'

// Two silent beats are not yet the end: a laptop waking from sleep always misses the first.
const MISSED_BEATS = 3

/** Sends a sign of life on a silent link, and ends one on which the other side gives none. */
export function keepAlive(
  link: Link,
  options: { clock: Clock; intervalMs: number },
): Disposable & { received(): void } {
  const { clock, intervalMs } = options
  let heardAt = clock.elapsed()
  let timer: Disposable = { dispose() {} }
  const beat = () => {
    if (!link.open) return
    if (clock.elapsed() - heardAt > intervalMs * MISSED_BEATS) {
      link.close('no sign of life')
      return
    }
    link.send({ type: 'heartbeat' })
    timer = clock.after(intervalMs, beat)
  }
  timer = clock.after(intervalMs, beat)
  return {
    received: () => {
      heardAt = clock.elapsed()
    },
    dispose: () => timer.dispose(),
  }
}
