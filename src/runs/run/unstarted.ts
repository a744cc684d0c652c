import type { Clock } from '../../base/clock.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { RunState, WithdrawnBy } from './run-state.ts'

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
