import { expect, test } from 'vitest'
import { type SignalledProcess, signalledProcesses } from './signalled-processes.ts'

const process = (pid: number, name: string, line: string, more: Partial<SignalledProcess> = {}): SignalledProcess => ({
  pid,
  parent: 1,
  group: pid,
  user: 1000,
  name,
  words: line.split(' '),
  ...more,
})
const ALL = [
  process(10, 'node', '/usr/bin/node vite.js'),
  process(11, 'vite', 'vite', { parent: 10, group: 10 }),
  process(12, 'vitest', 'vitest', { parent: 7 }),
  process(13, 'vite', 'vite', { user: 0 }),
]
const pids = (line: string, user: number | null = 1000) => {
  const item = signalledProcesses(line.split(' '), { processes: () => ALL, ours: [7], user })
  return item.about === 'signals' ? item.processes.map(({ pid, whose }) => `${pid} ${whose}`) : item.about
}

test.each([
  ['pkill vite', ['11 other', '12 started_here']],
  ['pkill -x vite', ['11 other']],
  ['pkill -f vite', ['10 other', '11 other', '12 started_here']],
  ['pkill -9 -f vite.js', ['10 other']],
  ['pkill --signal TERM ^vite$', ['11 other']],
  ['killall vite', ['11 other']],
  ['killall -s KILL vitest', ['12 started_here']],
  ['kill 10 11', ['10 other', '11 other']],
  ['kill -TERM -- -10', ['10 other', '11 other']],
  ['kill -s TERM 12', ['12 started_here']],
] as const)('%s ends these', (line, expected) => {
  expect(pids(line)).toEqual(expected)
})

test('root reaches the processes of others', () => {
  expect(pids('pkill -x vite', null)).toEqual(['11 other', '13 other'])
})

test.each([
  'pkill -u ada vite',
  'pkill -n vite',
  'pkill vi(te)?',
  'killall -r vi.*',
  'kill -1',
  'kill 0',
  'kill',
  'pkill a b',
])('%s: who that is, is not guessed', line => {
  expect(pids(line)).toBe('unknown')
})
