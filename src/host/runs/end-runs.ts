import type { Clock } from '../../base/clock.ts'
import { ENDS_SEEN_WITHIN_MS, OWNER_KILLS_WITHIN_MS } from '../../base/process/grace.ts'
import { until } from '../../base/until.ts'
import type { InteractiveLane } from './interactive-lane.ts'
import type { RequesterRuns } from './requester-runs.ts'

/** Ends everything that runs. Whoever owns the terminals ends them; if it does not answer, ending it does. */
export async function endRuns(
  {
    runs,
    lane,
    clock,
  }: { readonly runs: RequesterRuns; readonly lane: Pick<InteractiveLane, 'count' | 'watch'>; readonly clock: Clock },
  graceMs: number,
): Promise<void> {
  const late = new Promise<void>(resolve => void clock.after(graceMs + OWNER_KILLS_WITHIN_MS, resolve))
  // A tree that is gone has still to be seen to have ended, and written down: otherwise its run would be called lost.
  const seen = async () =>
    void (await until(() => lane.count === 0, lane, { late: { clock, ms: ENDS_SEEN_WITHIN_MS } }))
  await Promise.race([runs.endAll(graceMs, seen), late])
}
