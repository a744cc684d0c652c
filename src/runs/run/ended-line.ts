import { type EndedLine, RunFacts, type RunOutcome } from '../../contract/disk/run-record.ts'
import { type BlockedBecause, isOver, type RunState, startedAt, WITHDRAWN_BY } from './run-state.ts'
import type { RunStatus } from './run-status.ts'

type EndingFields = Pick<EndedLine, keyof typeof NOTHING> &
  Partial<Pick<EndedLine, 'reason' | 'invalid' | 'unshown' | 'limit_ms' | 'kept'>>

/** The last line of a run that is over. On disk a state is flat; only here is it made so, and only `statusIn` reads it. */
export function endedLine(id: string, { state, ...facts }: RunStatus): EndedLine {
  if (!isOver(state)) throw new Error(`a run that is ${state.at} has no last line`)
  const when = { at: state.endedAt, started_at: startedAt(state), took_ms: 'tookMs' in state ? state.tookMs : null }
  return { type: 'ended', id, state: state.at, ...when, ...endingFields(state), ...facts }
}

/** What the line says of the run. */
export const statusIn = (line: EndedLine): RunStatus => ({ ...RunFacts.parse(line), state: stateIn(line) })

/** As much of it as a person is shown. */
export function outcomeOf({ state, command_executed }: RunStatus): RunOutcome {
  const { exit_code, signal, ended_by, why, reason = null } = endingFields(state)
  return { state: state.at, exit_code, signal, ended_by, why, reason, command_executed: command_executed ?? null }
}

const NOTHING = { exit_code: null, signal: null, ended_by: null, why: null, destructive: false } as const

/** The facts of a state that have fields of their own on disk. */
function endingFields(state: RunState): EndingFields {
  switch (state.at) {
    case 'received':
    case 'awaiting_approval':
    case 'running':
    case 'lost':
      return NOTHING
    case 'exited':
      return { ...NOTHING, exit_code: state.exitCode, signal: state.signal }
    case 'killed':
      return { ...NOTHING, ended_by: state.by }
    case 'timed_out':
      return { ...NOTHING, ended_by: 'kill_after_ms', ...limitOf(state) }
    case 'expired':
      return { ...NOTHING, ...limitOf(state) }
    case 'blocked':
      return { ...NOTHING, why: state.why, ...BLOCKED[state.because] }
    case 'declined':
      return { ...NOTHING, why: state.reason, ...(state.kept && { kept: state.kept }) }
    case 'withdrawn':
      return { ...NOTHING, ...(state.by && { reason: state.by }) }
    case 'failed': {
      const { problem: why, reason, fault } = state
      return { ...NOTHING, why, ...(reason !== undefined && { reason }), ...(fault === 'request' && { invalid: true }) }
    }
  }
}

const limitOf = ({ limitMs }: { readonly limitMs?: number }) => (limitMs === undefined ? {} : { limit_ms: limitMs })

const BLOCKED: Readonly<Record<BlockedBecause, Pick<Partial<EndedLine>, 'destructive' | 'unshown' | 'reason'>>> = {
  policy: {},
  destructive: { destructive: true },
  nobody: { unshown: true },
  no_window: { unshown: true, reason: 'no_window' },
  too_many: { reason: 'too_many_questions' },
}

function becauseIn({ destructive, unshown, reason }: EndedLine): BlockedBecause {
  if (destructive) return 'destructive'
  if (reason === BLOCKED.too_many.reason) return 'too_many'
  if (!unshown) return 'policy'
  return reason === BLOCKED.no_window.reason ? 'no_window' : 'nobody'
}

function stateIn(line: EndedLine): RunState {
  const { state: at, at: endedAt, survivors, reason } = line
  const ended = { startedAt: line.started_at ?? endedAt, endedAt, tookMs: line.took_ms ?? 0 }
  const limit = line.limit_ms === undefined ? {} : { limitMs: line.limit_ms }

  switch (at) {
    case 'exited':
      return { at, exitCode: line.exit_code, signal: line.signal, ...ended }
    case 'killed':
      return { at, by: line.ended_by ?? 'kill', survivors, ...ended }
    case 'timed_out':
      return { at, survivors, ...limit, ...ended }
    case 'lost':
      return { at, endedAt, startedAt: line.started_at, survivors }
    case 'blocked':
      return { at, why: line.why ?? '', because: becauseIn(line), endedAt }
    case 'declined':
      return { at, reason: line.why, ...(line.kept && { kept: line.kept }), endedAt }
    case 'expired':
      return { at, ...limit, endedAt }
    case 'withdrawn': {
      const by = WITHDRAWN_BY.find(each => each === reason)
      return { at, ...(by && { by }), endedAt }
    }
    case 'failed': {
      const fault = line.invalid ? 'request' : 'ours'
      return { at, problem: line.why ?? 'nobody knows why', fault, ...(reason !== undefined && { reason }), endedAt }
    }
  }
}
