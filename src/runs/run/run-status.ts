import type { AllowedLine, RunFacts } from '../../contract/disk/run-record.ts'
import type { RunState } from './run-state.ts'

/** Where a run is: its state, with the facts of that state, and what is true of it in any state. */
export interface RunStatus extends RunFacts {
  readonly state: RunState
}

export const statusOf = (
  state: RunState,
  output: { readonly size: number; readonly lost: number },
  drained: boolean,
  more: Partial<RunFacts> = {},
): RunStatus => ({
  state,
  survivors: 'survivors' in state ? [...state.survivors] : [],
  output_bytes: output.size,
  lost_bytes: output.lost,
  drained,
  ...more,
})

/** What is known of a run's approval, also when nobody saw it end. */
export function approvalIn(allowed: AllowedLine | null): Pick<RunFacts, 'approved_by' | 'command_executed'> {
  if (allowed === null) return {}
  const { approved_by, command_executed } = allowed
  return { approved_by, ...(command_executed !== undefined && { command_executed }) }
}
