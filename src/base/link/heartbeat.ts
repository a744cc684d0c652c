import type { Clock } from '../clock.ts'
import type { Disposable } from '../disposable.ts'
import type { Link } from './link.ts'

// Two silent beats are not yet the end: a laptop waking from sleep always misses the first.
const MISSED_BEATS = 3

export interface KeptAlive extends Disposable {
  /** How long the other side gave no sign of life. */
  readonly silentMs: number
  received(): void
}

/** Sends a sign of life on a silent link, and ends one on which the other side gives none. */
export function keepAlive(link: Link, options: { clock: Clock; intervalMs: number }): KeptAlive {
  const { clock, intervalMs } = options
  let heardAt = clock.elapsed()
  let timer: Disposable = { dispose() {} }
  const beat = () => {
    if (!link.open) return
    if (kept.silentMs > intervalMs * MISSED_BEATS) {
      link.close('no sign of life')
      return
    }
    link.send({ type: 'heartbeat' })
    timer = clock.after(intervalMs, beat)
  }
  timer = clock.after(intervalMs, beat)
  const kept: KeptAlive = {
    get silentMs() {
      return clock.elapsed() - heardAt
    },
    received: () => {
      heardAt = clock.elapsed()
    },
    dispose: () => timer.dispose(),
  }
  return kept
}
