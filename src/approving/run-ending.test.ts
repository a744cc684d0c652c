import { expect, test } from 'vitest'
import type { RunOutcome } from '../contract/disk/run-record.ts'
import { outcomeIn, runEnding, runEndingInShort } from './run-ending.ts'

const outcome = (more: Partial<RunOutcome>): RunOutcome => ({
  state: 'exited',
  exit_code: null,
  signal: null,
  ended_by: null,
  why: null,
  reason: null,
  command_executed: null,
  ...more,
})

test.each<[Partial<RunOutcome>, string, string]>([
  [{ exit_code: 0 }, 'Exit code 0', 'exit 0'],
  [{ exit_code: 2 }, 'Exit code 2', 'exit 2'],
  [{ signal: 'SIGSEGV' }, 'Ended by SIGSEGV', 'SIGSEGV'],
  [{ state: 'expired' }, 'Expired: nobody answered. It never ran', 'expired'],
  [{ state: 'declined' }, 'Declined by you. It never ran', 'declined'],
  [{ state: 'declined', why: 'not now' }, 'Declined by you: not now. It never ran', 'declined'],
  [{ state: 'withdrawn', reason: 'cancelled' }, 'Withdrawn by the agent. It never ran', 'withdrawn'],
  [{ state: 'withdrawn', reason: 'host_ends' }, 'Withdrawn: the host ended. It never ran', 'withdrawn'],
  [{ state: 'blocked', why: 'it wipes /' }, 'Refused: it wipes /. It never ran', 'refused'],
  [{ state: 'received' }, 'Waiting for its turn. It has not started', 'waits its turn'],
  [{ state: 'awaiting_approval' }, 'Waiting for your answer. It has not started', 'asked'],
  [{ state: 'killed', ended_by: 'kill' }, 'Ended by the agent', 'ended by the agent'],
  [{ state: 'killed', ended_by: 'person' }, 'Ended by you', 'ended by you'],
  [{ state: 'killed', ended_by: 'server_end' }, 'Ended by the end of the host', 'ended by the end of the host'],
  [{ state: 'timed_out', ended_by: 'kill_after_ms' }, 'Ended by its time limit', 'time limit'],
])('%j is told as %j, in short %j', (more, text, short) => {
  expect([runEnding(outcome(more)).text, runEndingInShort(outcome(more))]).toEqual([text, short])
})

test('what never ran is no failure of the command', () => {
  for (const state of ['declined', 'expired', 'withdrawn'] as const)
    expect(runEnding(outcome({ state })).tone).toBe('quiet')
})

test('a headless command that ended with its server did not end with the host', () => {
  const ended = outcome({ state: 'killed', ended_by: 'server_end' })
  expect(runEnding(outcomeIn('headless', ended)).text).toBe('Ended by the end of the agent’s server')
  expect(runEnding(outcomeIn('interactive', ended)).text).toBe('Ended by the end of the host')
})
