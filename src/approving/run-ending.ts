import type { RunOutcome } from '../contract/disk/run-record.ts'

/** How a run is or ended, for the person: what happened, by whom, and whether it ever ran. */
export interface Ending {
  readonly text: string
  readonly tone: 'good' | 'bad' | 'quiet'
}

export function runEnding(outcome: RunOutcome): Ending {
  const { state, exit_code, signal, ended_by, why, reason } = outcome
  switch (state) {
    case 'received':
      return quiet('Waiting for its turn. It has not started')
    case 'awaiting_approval':
      return quiet('Waiting for your answer. It has not started')
    case 'running':
      return quiet('Running')

    case 'exited':
      if (signal !== null) return bad(`Ended by ${signal}`)
      return exit_code === null
        ? quiet('Ended; its exit code is not known')
        : { text: `Exit code ${exit_code}`, tone: exit_code === 0 ? 'good' : 'bad' }
    case 'killed':
      return quiet(`Ended by ${ENDERS[ended_by ?? ''] ?? 'somebody'}`)
    case 'timed_out':
      return bad('Ended by its time limit')
    case 'lost':
      return bad('Nobody saw how it ended')

    case 'declined':
      return quiet(`Declined by you${why ? `: ${why}` : ''}. It never ran`)
    case 'expired':
      return quiet('Expired: nobody answered. It never ran')
    case 'withdrawn':
      return quiet(`${WITHDRAWN[reason ?? ''] ?? 'Withdrawn'}. It never ran`)
    case 'blocked':
      return bad(`Refused: ${why ?? 'it may not run'}. It never ran`)
    case 'failed':
      return bad(`Could not be started: ${why ?? 'nobody knows why'}`)
  }
}

const quiet = (text: string): Ending => ({ text, tone: 'quiet' })
const bad = (text: string): Ending => ({ text, tone: 'bad' })

const ENDERS: Readonly<Record<string, string>> = {
  kill: 'the agent',
  cancelled: 'the agent',
  person: 'you',
  kill_after_ms: 'its time limit',
  server_end: 'the end of the host',
  agent_server_end: 'the end of the agent’s server',
}

const WITHDRAWN: Readonly<Record<string, string>> = {
  cancelled: 'Withdrawn by the agent',
  asker_gone: 'Withdrawn: the agent is gone',
  host_ends: 'Withdrawn: the host ended',
  person: 'Stopped by you',
}

/** A headless run ends with the MCP server that started it, not with the host. */
export const outcomeIn = (lane: 'headless' | 'interactive', outcome: RunOutcome): RunOutcome =>
  lane === 'headless' && outcome.ended_by === 'server_end' ? { ...outcome, ended_by: 'agent_server_end' } : outcome

/** The same in a word or two, for a list. */
export function runEndingInShort(outcome: RunOutcome): string {
  const { state, exit_code, signal, ended_by } = outcome
  if (state === 'exited') return signal ?? (exit_code === null ? 'ended' : `exit ${exit_code}`)
  if (state === 'killed') return `ended by ${ENDERS[ended_by ?? ''] ?? 'somebody'}`
  return SHORT[state]
}

const SHORT = {
  received: 'waits its turn',
  awaiting_approval: 'asked',
  running: 'running',
  timed_out: 'time limit',
  lost: 'lost',
  declined: 'declined',
  expired: 'expired',
  withdrawn: 'withdrawn',
  blocked: 'refused',
  failed: 'not started',
} as const
