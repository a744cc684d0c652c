import type { EndedLine } from '../../contract/disk/run-record.ts'
import type { RunState } from './run-state.ts'

/** Where a run is now, in the shape of its last line on disk. `state` says whether it is over. */
export type RunStatus = EndedLine

export function statusOf(
  id: string,
  state: RunState,
  output: { size: number; lost: number },
  drained: boolean,
): RunStatus {
  return {
    type: 'ended',
    id,
    state: state.at,
    at: 'endedAt' in state ? state.endedAt : 0,
    started_at: 'startedAt' in state ? state.startedAt : null,
    took_ms: 'tookMs' in state ? state.tookMs : null,

    exit_code: state.at === 'exited' ? state.exitCode : null,
    signal: state.at === 'exited' ? state.signal : null,
    ended_by: state.at === 'killed' ? state.by : state.at === 'timed_out' ? 'kill_after_ms' : null,

    why:
      state.at === 'blocked'
        ? state.why
        : state.at === 'failed'
          ? state.problem
          : state.at === 'declined'
            ? state.reason
            : null,
    ...(state.at === 'failed' && state.reason !== undefined && { reason: state.reason }),
    ...(state.at === 'blocked' && state.because === 'too_many' && { reason: 'too_many_questions' }),
    ...(state.at === 'withdrawn' && state.by !== undefined && { reason: state.by }),
    destructive: state.at === 'blocked' && state.because === 'destructive',
    ...(state.at === 'failed' && state.fault === 'request' && { invalid: true }),
    ...(state.at === 'blocked' && state.because === 'no_window' && { reason: 'no_window', unshown: true }),
    ...(state.at === 'blocked' && state.because === 'nobody' && { unshown: true }),
    ...('limitMs' in state && state.limitMs !== undefined && { limit_ms: state.limitMs }),

    survivors: 'survivors' in state ? [...state.survivors] : [],
    output_bytes: output.size,
    lost_bytes: output.lost,
    drained,
  }
}
