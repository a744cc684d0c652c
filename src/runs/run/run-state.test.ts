import { expect, test } from 'vitest'
import { RUN_STATES } from '../../contract/tool/run-lists.ts'
import { isOver, move, type RunState, type StateName } from './run-state.ts'

const ended = { startedAt: 1, endedAt: 2, tookMs: 1 }
const STATE: { [Name in StateName]: Extract<RunState, { at: Name }> } = {
  received: { at: 'received' },
  awaiting_approval: { at: 'awaiting_approval', since: 0 },
  running: { at: 'running', pid: 1, pidStart: '1', startedAt: 1 },
  exited: { at: 'exited', exitCode: 0, signal: null, ...ended },
  killed: { at: 'killed', by: 'kill', survivors: [], ...ended },
  timed_out: { at: 'timed_out', survivors: [], ...ended },
  lost: { at: 'lost', endedAt: 2, startedAt: 1, survivors: [] },
  blocked: { at: 'blocked', why: 'no rule', because: 'policy', endedAt: 2 },
  declined: { at: 'declined', reason: 'no', endedAt: 2 },
  expired: { at: 'expired', endedAt: 2 },
  withdrawn: { at: 'withdrawn', endedAt: 2 },
  failed: { at: 'failed', fault: 'ours', problem: 'no such file', endedAt: 2 },
}

// Written out by hand from docs/spec.md §3.2, not read from the code.
const MAY: Partial<Record<StateName, readonly StateName[]>> = {
  received: ['awaiting_approval', 'running', 'blocked', 'withdrawn', 'failed', 'lost'],
  awaiting_approval: ['running', 'blocked', 'declined', 'expired', 'withdrawn', 'failed', 'lost'],
  running: ['exited', 'killed', 'timed_out', 'lost', 'awaiting_approval'],
}

const pairs = RUN_STATES.flatMap(from => RUN_STATES.map(to => ({ from, to })))
const allowed = pairs.filter(({ from, to }) => MAY[from]?.includes(to))
const forbidden = pairs.filter(({ from, to }) => !MAY[from]?.includes(to))

test.each(allowed)('a run that is $from may become $to', ({ from, to }) => {
  expect(move(STATE[from], STATE[to])).toEqual(STATE[to])
})

test.each(forbidden)('a run that is $from never becomes $to', ({ from, to }) => {
  expect(() => move(STATE[from], STATE[to])).toThrow(`a run cannot go from ${from} to ${to}`)
})

test('a run is over exactly when nothing can follow', () => {
  expect(RUN_STATES.filter(name => isOver(STATE[name]))).toEqual(RUN_STATES.filter(name => MAY[name] === undefined))
})
