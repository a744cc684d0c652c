import type { AllowedLine, RunFacts, RunOutcome } from '../../contract/disk/run-record.ts'
import { endingFields } from './ended-line.ts'
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

/** As much of it as a person is shown. */
export function outcomeOf({ state, command_executed }: RunStatus): RunOutcome {
  const { exit_code, signal, ended_by, why, reason = null } = endingFields(state)
  return { state: state.at, exit_code, signal, ended_by, why, reason, command_executed: command_executed ?? null }
}
