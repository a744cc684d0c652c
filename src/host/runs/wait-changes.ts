import type { WaitState } from '../../contract/wait-state.ts'
import type { Run } from '../../runs/run/run.ts'

/** Calls back when the program begins to wait for something else than before, until it is over. */
export function onWaitChange(run: Run, changed: (state: WaitState) => void): void {
  let before: WaitState = 'none'
  const watching = run.watch(() => {
    if (run.over) return watching.dispose()
    // Not known for a moment after each output: that is no change.
    const now = run.waiting?.now?.state ?? before
    if (now === before) return
    before = now
    changed(now)
  })
}
