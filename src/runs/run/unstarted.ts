import type { Clock } from '../../base/clock.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { NOBODY } from './approver.ts'
import type { Run } from './run.ts'
import type { RunState, WithdrawnBy } from './run-state.ts'

/** It is over, and nothing is there to be started. */
export const endUnstarted = (run: Run, state: RunState): null => {
  run.move(state)
  return null
}

/** Taken back before it started; the signal's reason says by whom. */
export function withdrawn({ reason }: AbortSignal, clock: Clock): Extract<RunState, { at: 'withdrawn' }> {
  const by = WITHDRAWERS.find(each => each === reason)
  return { at: 'withdrawn', ...(by !== undefined && { by }), endedAt: clock.now() }
}
const WITHDRAWERS: readonly WithdrawnBy[] = ['cancelled', 'asker_gone', 'host_ends', 'person']

export const failed = (cause: unknown, clock: Clock): Extract<RunState, { at: 'failed' }> => ({
  at: 'failed',
  problem: cause instanceof Error ? cause.message : String(cause),
  fault: cause instanceof TermError && cause.code === 'PM_TERM_INVALID_PAYLOAD' ? 'request' : 'ours',
  ...reasonOf(cause),
  endedAt: clock.now(),
})

const reasonOf = (cause: unknown): { reason?: string } => {
  const reason = cause instanceof TermError ? cause.details.reason : undefined
  return typeof reason === 'string' ? { reason } : {}
}

export const unseen = (clock: Clock, why: string | null = null): RunState => ({
  at: 'blocked',
  why: why ?? NOBODY,
  because: why === null ? 'nobody' : 'no_window',
  endedAt: clock.now(),
})

export const refused = ({ verdict, why }: Verdict, clock: Clock): RunState => ({
  at: 'blocked',
  why,
  because: verdict === 'destructive' ? 'destructive' : 'policy',
  endedAt: clock.now(),
})
