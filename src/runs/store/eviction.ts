import type { Clock } from '../../base/clock.ts'

const FIRST_MS = 5000
const EVERY_MS = 15 * 60_000

export interface Evictable {
  /** So much was printed since the last eviction that the next one should not wait. */
  readonly overBudget: boolean
  evict(): Promise<void>
}

export interface Eviction {
  /** More output is kept than before. */
  grown(): void
  dispose(): void
}

/** Soon after the start, at fixed times, and before that when much was printed. Nothing wakes up in between. */
export function startEviction(clock: Clock, runs: Evictable): Eviction {
  let busy = false
  let over = false
  let timer = clock.after(FIRST_MS, () => void evict())
  const evict = async () => {
    if (busy || over) return
    busy = true
    timer.dispose()
    await runs.evict()
    busy = false
    if (!over) timer = clock.after(EVERY_MS, () => void evict())
  }
  return {
    grown: () => {
      if (!busy && runs.overBudget) void evict()
    },
    dispose() {
      over = true
      timer.dispose()
    },
  }
}
