import type { AllowedLine, RunOutcome } from '../../contract/disk/run-record.ts'
import type { Carried, Verdict as ExplainedVerdict } from '../../contract/tool/response.ts'
import { endingFields } from './ended-line.ts'
import type { RunState } from './run-state.ts'

export interface RunApproval {
  readonly approvedBy: 'person' | 'allowlist' | null
  /** The line a person wrote instead of the requested one. */
  readonly commandExecuted: string | null
}

/** Where a run is: its state, with the facts of that state, and what is true of it in any state. */
export interface RunStatus extends RunApproval {
  readonly state: RunState
  readonly outputBytes: number
  readonly lostBytes: number
  /** false: a background process holds the output open although the first one has ended. */
  readonly drained: boolean
  /** Processes of it that are there although it is over. */
  readonly survivors: readonly number[]
  /** Where it runs, if its terminal had moved on since it was asked for. */
  readonly cwd: string | null
  readonly carried: Carried | null
  /** How the parts of its last pipeline ended, where the exit code hides that one failed. */
  readonly pipestatus: readonly number[] | null
  /** What somebody should know about it. */
  readonly note: string | null
  readonly verdict: ExplainedVerdict | null
}

const NO_MORE = {
  approvedBy: null,
  commandExecuted: null,
  cwd: null,
  carried: null,
  pipestatus: null,
  note: null,
  verdict: null,
} as const

export const statusOf = (
  state: RunState,
  output: { readonly size: number; readonly lost: number },
  drained: boolean,
  more: Partial<Pick<RunStatus, keyof typeof NO_MORE>> = {},
): RunStatus => ({
  state,
  outputBytes: output.size,
  lostBytes: output.lost,
  drained,
  survivors: 'survivors' in state ? state.survivors : [],
  ...NO_MORE,
  ...more,
})

/** What is known of a run's approval, also when nobody saw it end. */
export const approvalIn = (allowed: AllowedLine | null): RunApproval => ({
  approvedBy: allowed?.approved_by ?? null,
  commandExecuted: allowed?.command_executed ?? null,
})

/** As much of it as a person is shown. */
export function outcomeOf({ state, commandExecuted }: Pick<RunStatus, 'state' | 'commandExecuted'>): RunOutcome {
  const { exit_code, signal, ended_by, why, reason = null } = endingFields(state)
  return { state: state.at, exit_code, signal, ended_by, why, reason, command_executed: commandExecuted }
}
