import type { Clock } from '../../base/clock.ts'
import { Disposables } from '../../base/disposable.ts'
import { ENDS_SEEN_WITHIN_MS, OWNER_KILLS_WITHIN_MS } from '../../base/process/grace.ts'
import type { InteractiveLane } from './interactive-lane.ts'
import type { RequesterRuns } from './requester-runs.ts'

type LaneCount = Pick<InteractiveLane, 'count' | 'watch'>

/** Ends everything that runs. Whoever owns the terminals ends them; if it does not answer, ending it does. */
export async function endRuns(
  { runs, lane, clock }: { readonly runs: RequesterRuns; readonly lane: LaneCount; readonly clock: Clock },
  graceMs: number,
): Promise<void> {
  const late = new Promise<void>(resolve => void clock.after(graceMs + OWNER_KILLS_WITHIN_MS, resolve))
  await Promise.race([runs.endAll(graceMs, () => nothingGoing(lane, clock)), late])
}

/** A tree that is gone has still to be seen to have ended, and written down: otherwise its run would be called lost. */
function nothingGoing(lane: LaneCount, clock: Clock): Promise<void> {
  return new Promise(resolve => {
    const life = new Disposables()
    const look = () => {
      if (lane.count > 0) return
      life.dispose()
      resolve()
    }
    life.add(lane.watch(look))
    life.add(
      clock.after(ENDS_SEEN_WITHIN_MS, () => {
        life.dispose()
        resolve()
      }),
    )
    look()
  })
}
