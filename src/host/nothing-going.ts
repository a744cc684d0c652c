import type { Clock } from '../base/clock.ts'
import { Disposables } from '../base/disposable.ts'
import type { InteractiveLane } from './interactive-lane.ts'

const ENDS_SEEN_WITHIN_MS = 5000

/** A tree that is gone has still to be seen to have ended, and written down: otherwise its run would be called lost. */
export function nothingGoing(lane: Pick<InteractiveLane, 'count' | 'watch'>, clock: Clock): Promise<void> {
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
