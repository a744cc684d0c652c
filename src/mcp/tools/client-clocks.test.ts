import { expect, test } from 'vitest'
import type { ToolCall } from '../server/mcp-server.ts'
import { ClientClocks } from './client-clocks.ts'

const clocks = (PM_TERM_CLIENT_CLOCKS = '') =>
  new ClientClocks({ PM_TERM_ANSWER_WITHIN_MS: 45_000, PM_TERM_CLIENT_CLOCKS })
const call = (name: string, how: { progress?: true; signal?: AbortSignal } = {}): ToolCall => ({
  name: 'memory_terminal',
  arguments: {},
  signal: how.signal ?? new AbortController().signal,
  asker: { session: 's', name, version: '1' },
  ...(how.progress && { progress: () => {} }),
})
const within = (all: ClientClocks, name: string, progress?: true) =>
  all.timed(call(name, progress && { progress })).answerWithinMs

test.each([
  ['nobody knows, and listens to progress', 'some-agent', true, Number.POSITIVE_INFINITY],
  ['nobody knows, and does not listen', 'some-agent', undefined, 45_000],
  ['gives up after a minute whatever it hears', 'continue-cli-client', true, 45_000],
  ['gives up after a minute whatever it hears, by its scoped name', '@cline/core', true, 45_000],
  ['waits as long as it hears of progress', 'opencode', true, Number.POSITIVE_INFINITY],
  ['would wait three minutes without progress', 'github-copilot', undefined, 45_000],
] as const)('a client that %s', (_, name, progress, expected) => {
  expect(within(clocks(), name, progress)).toBe(expected)
})

test('what the person set counts, for the client of that name alone', () => {
  const set = clocks('my-agent=20000, continue-cli-client=90000')
  expect(['my-agent', 'continue-cli-client', 'other'].map(name => within(set, name, true))).toEqual([
    20_000,
    90_000,
    Number.POSITIVE_INFINITY,
  ])
})

test('a client that gave up after 30 s is answered before that from then on', () => {
  const all = clocks()
  all.ended(call('hasty', { signal: AbortSignal.abort('Request timed out') }), 30_000)
  expect([within(all, 'hasty'), within(all, 'hasty', true)]).toEqual([22_500, Number.POSITIVE_INFINITY])
  expect(within(all, 'other')).toBe(45_000)
})

test('one that gave up although it heard of progress is not kept waiting with progress', () => {
  const all = clocks()
  all.ended(call('deaf', { signal: AbortSignal.abort('timeout'), progress: true }), 40_000)
  expect(within(all, 'deaf', true)).toBe(30_000)
})

test('a call that somebody stopped says nothing about its client’s clock', () => {
  const all = clocks()
  all.ended(call('patient', { signal: AbortSignal.abort('The user pressed Escape') }), 3000)
  expect(within(all, 'patient')).toBe(45_000)
})
