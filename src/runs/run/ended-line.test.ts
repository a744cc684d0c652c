import { expect, test } from 'vitest'
import { EndedLine } from '../../contract/disk/run-record.ts'
import { ENDED_STATES } from '../../contract/tool/run-lists.ts'
import { endedLine, statusIn } from './ended-line.ts'
import { type RunState, WITHDRAWN_BY } from './run-state.ts'
import { statusOf } from './run-status.ts'

const ended = { startedAt: 1, endedAt: 3, tookMs: 2 }
const STATES: readonly RunState[] = [
  { at: 'exited', exitCode: 0, signal: null, ...ended },
  { at: 'exited', exitCode: null, signal: 'SIGHUP', ...ended },
  ...(['kill', 'cancelled', 'person', 'kill_after_ms', 'server_end'] as const).map(
    by => ({ at: 'killed', by, survivors: [7], ...ended }) as const,
  ),
  { at: 'timed_out', survivors: [], ...ended },
  { at: 'timed_out', survivors: [7], limitMs: 5, ...ended },
  { at: 'lost', startedAt: null, endedAt: 3, survivors: [7] },
  ...(['policy', 'destructive', 'nobody', 'no_window', 'too_many'] as const).map(
    because => ({ at: 'blocked', why: 'w', because, endedAt: 3 }) as const,
  ),
  { at: 'declined', reason: null, endedAt: 3 },
  { at: 'declined', reason: 'not now', endedAt: 3 },
  { at: 'expired', endedAt: 3, limitMs: 5 },
  { at: 'withdrawn', endedAt: 3 },
  ...WITHDRAWN_BY.map(by => ({ at: 'withdrawn', by, endedAt: 3 }) as const),
  { at: 'failed', problem: 'p', fault: 'ours', endedAt: 3 },
  { at: 'failed', problem: 'p', fault: 'request', reason: 'shell_busy', endedAt: 3 },
]

test('every way a run can end is on disk what it was: a later server reads the same state with the same facts', () => {
  const more = {
    approved_by: 'person',
    command_executed: 'ls -a',
    cwd: '/b',
    note: 'n',
    carried: { cwd: '/b' },
  } as const
  for (const state of STATES)
    for (const facts of [{}, { ...more, verdict: { verdict: 'approval', why: 'w' } as const }]) {
      const status = statusOf(state, { size: 9, lost: 1 }, false, facts)
      const line = EndedLine.parse(JSON.parse(JSON.stringify(endedLine('run', status))))
      expect(statusIn(line)).toEqual(status)
    }
  expect(new Set(STATES.map(({ at }) => at))).toEqual(new Set(ENDED_STATES))
})

test('a run that is not over has no last line', () => {
  const status = statusOf({ at: 'received' }, { size: 0, lost: 0 }, true)
  expect(() => endedLine('run', status)).toThrow('received')
})
