import { expect, test } from 'vitest'
import { openedLine } from '../../../test/fakes/opened-line.ts'
import type { EndedLine, OpenedLine } from '../../contract/disk/run-record.ts'
import { dayActivity, newSince, type RequestersRun } from './day-activity.ts'

const run = (id: string, ended: Partial<EndedLine>, opened: Partial<OpenedLine> = {}): RequestersRun => ({
  requester: 'local',
  run: {
    opened: openedLine(id, { command: 'make', ...opened }),
    allowed: null,
    started: null,
    directory: '/nowhere',
    ended: { type: 'ended', id, state: 'exited', at: 1, why: null, destructive: false, ...ended } as EndedLine,
  },
})
const kinds = (...runs: RequestersRun[]) =>
  dayActivity(runs, () => true).items.map(({ run_id, kind }) => `${run_id} ${kind}`)

test('what a person decided themselves is no activity; what a rule, the clock or the agent decided is', () => {
  expect(
    kinds(
      run('a', { state: 'exited', approved_by: 'person', at: 9 }),
      run('b', { state: 'declined', at: 8 }),
      run('c', { state: 'blocked', at: 7 }),
      run('d', { state: 'expired', at: 6 }),
      run('h', { state: 'blocked', unshown: true, at: 5.5 }, { cwd: '/other' }),
      run('e', { state: 'withdrawn', at: 5 }),
      run('f', { state: 'exited', approved_by: 'allowlist', at: 4 }, { lane: 'interactive' }),
      run('g', { state: 'exited', approved_by: 'allowlist', at: 3 }),
    ),
  ).toEqual(['c blocked', 'd expired', 'h expired', 'e withdrawn', 'f by_rule', 'g headless'])
})

test('the same line of the same asker is one item with its number, and the newest stands for it', () => {
  const { items } = dayActivity(
    [
      run('old', { state: 'blocked', at: 1 }),
      run('new', { state: 'blocked', at: 3 }),
      run('else', { state: 'blocked', at: 2 }, { cwd: '/other' }),
    ],
    () => true,
  )
  expect(items.map(({ run_id, times }) => [run_id, times])).toEqual([
    ['new', 2],
    ['else', 1],
  ])
})

test('it can be asked again only as it was, by one that is still there, and never if it would destroy', () => {
  const asks = (each: RequestersRun, isThere = true) => dayActivity([each], () => isThere).items[0]?.can_ask
  expect([
    asks(run('a', { state: 'blocked' })),
    asks(run('a', { state: 'blocked' }), false),
    asks(run('a', { state: 'blocked' }, { env_names: ['CI'] })),
    asks(run('a', { state: 'blocked', destructive: true })),
    asks(run('a', { approved_by: 'allowlist' })),
  ]).toEqual([true, false, false, false, false])
})

test('what ran says by which rule', () => {
  const verdict = { parts: [{ rule: 'make *' }, { rule: 'ls *' }, { rule: 'ls *' }] } as EndedLine['verdict']
  expect(dayActivity([run('a', { approved_by: 'allowlist', verdict })], () => true).items[0]?.why).toBe('make *, ls *')
})

test('only what happened since the person looked is new', () => {
  expect(
    newSince(
      [
        run('a', { state: 'blocked', at: 1 }),
        run('b', { state: 'blocked', at: 3 }),
        run('c', { state: 'declined', at: 4 }),
      ],
      2,
    ),
  ).toBe(1)
})
