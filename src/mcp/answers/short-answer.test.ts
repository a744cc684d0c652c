import { expect, test } from 'vitest'
import type { Result } from '../../contract/tool/response.ts'
import type { ListItem } from '../../contract/tool/run-lists.ts'
import { shortList, shortResult } from './short-answer.ts'

const WHOLE: Result = {
  state: 'exited',
  running: false,
  exit_code: 0,
  signal: null,
  stdout: 'hello\n',
  stderr: '',
  cursor: 6,
  output_bytes: 6,
  plan_hash: 'a'.repeat(64),
  cwd: '/shop',
}

test('what no caller needs is not sent, and everything else is', () => {
  const { signal: _, output_bytes: __, plan_hash: ___, ...kept } = WHOLE
  expect(shortResult(WHOLE)).toEqual(kept)
})

test.each<[string, Partial<Result>]>([
  ['some of it is left out', { omitted_bytes: 9, omitted_from: 3, output_bytes: 15, cursor: 15 }],
  ['some of it is lost', { lost_bytes: 9 }],
  ['it still runs', { state: 'running', running: true }],
  ['this was a page of it', { output_bytes: 600 }],
])('how much there is in all is said where %s', (_, more) => {
  expect(shortResult({ ...WHOLE, ...more }).output_bytes).toBe(more.output_bytes ?? 6)
})

test('a signal that ended it is told', () => {
  expect(shortResult({ ...WHOLE, exit_code: null, signal: 'SIGKILL' }).signal).toBe('SIGKILL')
})

const part = { text: 'ls', start: 0, end: 2, covered: false, rule: null, why: 'no rule covers it' }
test.each<[string, NonNullable<Result['verdict']>, boolean]>([
  ['only one, whose reason is the verdict’s', { verdict: 'blocked', why: part.why, parts: [part] }, false],
  [
    'only one, with another reason',
    { verdict: 'approval', why: 'the asker wants a person to decide', parts: [part] },
    true,
  ],
  ['several', { verdict: 'approval', why: part.why, parts: [part, part] }, true],
])('the parts of a line with %s', (_, verdict, isTold) => {
  expect(shortResult({ ...WHOLE, verdict }).verdict?.parts !== undefined).toBe(isTold)
})

const item = (n: number, more: Partial<ListItem> = {}): ListItem => ({
  session_id: `r${n}`,
  terminal_id: null,
  adapter: 'headless_process',
  owner: 'this_server',
  visibility: 'hidden',
  state: 'exited',
  running: false,
  command: 'true',
  cwd: '/shop',
  workspace_id: null,
  started_at: new Date(n * 1000).toISOString(),
  ended_at: new Date(n * 1000 + 5).toISOString(),
  exit_code: 0,
  output_bytes: 0,
  ...more,
})
const idsOf = ({ items }: ReturnType<typeof shortList>): string[] => items.map(({ session_id }) => session_id)

test('a list is short: the newest first, whoever owns them, and the rest counted', () => {
  const runs = Array.from({ length: 51 }, (_, n) => item(n))
  const list = shortList([...runs.slice(20), ...runs.slice(0, 20)])
  expect([idsOf(list).length, idsOf(list)[0], idsOf(list).at(-1), list.omitted]).toEqual([20, 'r50', 'r31', 31])
  expect(JSON.stringify(list.items[0]).length).toBeLessThan(160)
})

test('what is not over yet is listed first, whatever its age and number', () => {
  const open = Array.from({ length: 25 }, (_, n) => item(n, { state: 'running', running: true, exit_code: null }))
  const waiting = item(99, { state: 'awaiting_approval', started_at: null, ended_at: null })
  const list = shortList([...Array.from({ length: 30 }, (_, n) => item(n + 40)), ...open, waiting])
  expect([idsOf(list)[0], list.items.length, list.omitted]).toEqual(['r99', 26, 30])
})

test('what took no time, what a rule let run and what every headless run has in common is in the receipt', () => {
  const quick = { execution_time_ms: 12, verdict: { verdict: 'auto', why: 'reads', rule: 'ls *' } } as const
  const { signal: _, output_bytes: __, plan_hash: ___, ...kept } = WHOLE
  expect(shortResult({ ...WHOLE, ...quick, adapter: 'headless_process', visibility: 'hidden' })).toEqual(kept)
  const slow = { ...kept, execution_time_ms: 1000, adapter: 'host_bridge_local', visibility: 'visible' } as const
  expect(shortResult(slow)).toEqual(slow)
})

test('a directory is said once for all entries it is usual for', () => {
  const list = shortList([item(1), item(2, { cwd: '/other' }), item(3)])
  expect([list.cwd, list.items.map(({ cwd }) => cwd)]).toEqual(['/shop', [undefined, '/other', undefined]])
})

test('an entry says what is not usual', () => {
  const odd = item(1, {
    adapter: 'host_bridge_local',
    terminal_id: 't',
    owner: 'earlier_server',
    workspace_id: 'shop',
    output_bytes: 3,
    survivors: [7],
  })
  expect(shortList([odd]).items).toEqual([
    {
      session_id: 'r1',
      terminal_id: 't',
      adapter: 'host_bridge_local',
      owner: 'earlier_server',
      state: 'exited',
      exit_code: 0,
      command: 'true',
      workspace_id: 'shop',
      started_at: '1970-01-01T00:00:01Z',
      output_bytes: 3,
      survivors: [7],
    },
  ])
})
