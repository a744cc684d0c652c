import type { Clock } from '../../base/clock.ts'
import type { RequesterRuns } from './requester-runs.ts'

const EVICT_EVERY_MS = 15 * 60_000
const LOOK_EVERY_MS = 5000

/** At fixed times, and before that when much was printed. */
export function evictNowAndThen(clock: Clock, runs: RequesterRuns): { dispose(): void } {
  let evictedAt = clock.elapsed()
  let over = false
  const look = async () => {
    if (runs.overBudget || clock.elapsed() - evictedAt >= EVICT_EVERY_MS) {
      await runs.evict()
      evictedAt = clock.elapsed()
    }
    if (!over) timer = clock.after(LOOK_EVERY_MS, () => void look())
  }
  let timer = clock.after(LOOK_EVERY_MS, () => void look())
  return {
    dispose() {
      over = true
      timer.dispose()
    },
  }
}
