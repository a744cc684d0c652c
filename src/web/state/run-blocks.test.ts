import { expect, test } from 'vitest'
import type { RunBlock, TerminalState } from '../../contract/wire/terminal-frames.ts'
import { blocksAt, blocksWith, canBeStopped, lineThatRan } from './run-blocks.ts'

const ended = { exit_code: 0, signal: null, ended_by: null, why: null, reason: null, command_executed: null }
const block = (run_id: string, state: RunBlock['outcome']['state'], more: Partial<RunBlock> = {}): RunBlock => ({
  run_id,
  line: `line of ${run_id}`,
  is_cut: false,
  client: 'Claude Code 2.1',
  cwd: '/work/shop',
  ran_ms: state === 'running' || state === 'exited' ? 1500 : null,
  outcome: { ...ended, state },
  ...more,
})
const terminal = (run_id: string | null, state: RunBlock['outcome']['state']) =>
  ({ run_id, command: 'sleep 9', cwd: '/work', outcome: { ...ended, state } }) as TerminalState

test('only what runs goes on counting, from when it started', () => {
  const [first, second] = blocksAt([block('a', 'exited'), block('b', 'running')], 10_000)
  expect([first?.startedAt, second?.startedAt]).toEqual([null, 8500])
})

test('a command that has just begun is there before all is known about it', () => {
  const shown = blocksWith(terminal('b', 'received'), blocksAt([block('a', 'exited')], 0))
  expect(shown.map(({ run_id, line }) => [run_id, line])).toEqual([
    ['a', 'line of a'],
    ['b', 'sleep 9'],
  ])
})

test('a command that the list says is over does not go on counting', () => {
  const [shown] = blocksWith(terminal('a', 'killed'), blocksAt([block('a', 'running')], 0))
  expect(shown).toMatchObject({ startedAt: null, outcome: { state: 'killed' } })
})

test('what runs or waits can be stopped, what is over and the person’s own shell cannot', () => {
  expect(
    ['running', 'received', 'awaiting_approval', 'exited', 'declined'].map(state =>
      canBeStopped(block('a', state as 'running')),
    ),
  ).toEqual([true, true, true, false, false])
  expect(canBeStopped(block('a', 'running', { line: '' }))).toBe(false)
})

test('the line that is shown is the one that ran', () => {
  expect(lineThatRan(block('a', 'exited', { outcome: { ...ended, state: 'exited', command_executed: 'ls' } }))).toBe(
    'ls',
  )
})
