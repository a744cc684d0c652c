import type { Clock } from '../../base/clock.ts'
import type { LookFrom, RunLook } from '../host-link/look-on.ts'
import { pause } from '../host-link/reach-host.ts'

/** So often a run is told of at most. */
const SHORTEST_MS = 300
/** What waits for a person or its turn changes its state without printing anything. */
const NOT_STARTED_MS = 1000
const RUNNING_MS = 20_000
const MOST_FAULTS = 20
const AFTER_FAULT_MS = 1000

const OPEN: readonly string[] = ['received', 'awaiting_approval', 'running']
export const isOpen = (state: RunLook['state']): boolean => OPEN.includes(state)

/**
 * Calls back when a run has printed more, is in another state, or is over, and ends with it. A host that is away for a while is waited
 * for; for ever it is not: then it calls back once more, and whoever reads hears what is wrong.
 */
export async function followRun(
  first: RunLook,
  look: (from: Omit<LookFrom, 'id'>) => Promise<RunLook>,
  changed: (look: RunLook, before: RunLook) => void,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  let last = first
  let faults = 0
  while (isOpen(last.state) && !signal.aborted) {
    const ms = last.state === 'running' ? RUNNING_MS : NOT_STARTED_MS
    const next = await look({ cursor: last.bytes, ms }).catch(() => null)
    if (signal.aborted) return
    faults = next === null ? faults + 1 : 0
    if (faults >= MOST_FAULTS) return changed(last, last)
    if (next !== null) {
      if (next.state !== last.state || next.bytes !== last.bytes) changed(next, last)
      last = next
    }
    await pause(clock, next === null ? AFTER_FAULT_MS : SHORTEST_MS, signal)
  }
}
