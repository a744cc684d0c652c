import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalise, canonicaliseBySchema } from './canonicalise.ts'
import { headlessBySchema, parseHeadless } from './headless-request.ts'
import { plainHeadless, plainInteractive } from './plain-request.ts'

/** What a caller might put anywhere: mostly right, sometimes just beyond a limit, sometimes nonsense. */
const mostlyOf = (right: readonly unknown[], odd: readonly unknown[]) =>
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })
const ODD_TEXTS = [
  '',
  ' ',
  '\n',
  'a\0b',
  '\ud83d',
  'grün',
  '🙂',
  '../..',
  'x'.repeat(129),
  'x'.repeat(513),
  'x'.repeat(4097),
]
const text = mostlyOf(['ls -la', 'git log -3', 'a', '/tmp'], [...ODD_TEXTS, 'x'.repeat(16_385), 'x'.repeat(65_537)])
const id = mostlyOf(['req_1', 'a:b', '.', 'x'.repeat(128)], [...ODD_TEXTS, 'x y'])
const number = mostlyOf(
  [256, 1000, 30_000],
  [0, 1, -1, -0, 0.5, 255, 86_400_000, 86_400_001, 524_288, 524_289, 2 ** 53, Number.MAX_SAFE_INTEGER],
)
const nonsense = fc.constantFrom<unknown>(null, true, [], {}, '5', 7, undefined, ['a'])
const mostly = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 20, arbitrary }, { weight: 1, arbitrary: nonsense })
const args = fc.oneof(
  fc.array(text, { maxLength: 3 }),
  fc.constantFrom(Array(65).fill('a'), Array(64).fill('x'.repeat(512)), [7]),
)
const waitFor = mostlyOf(['exit', 'output'], ['text', 'silence', 'never'])
const FIELDS: Record<string, fc.Arbitrary<unknown>> = {
  command: text,
  args,
  cwd: text,
  context: text,
  timeout_ms: number,
  request_id: id,
  trace_id: id,
  client_request_id: id,
  session_id: id,
  terminal_id: id,
  cursor: number,
  wait_for: waitFor,
  wait_ms: number,
  max_bytes: number,
  approval_timeout_ms: number,
  mode: mostlyOf(['interactive', 'headless'], ['other']),
  intent: mostlyOf(['execute_command'], ['open_only', 'other']),
  env: fc.constantFrom({}, { A: 'b' }),
  text,
  nonsense,
  constructor: nonsense,
}
const some = (names: readonly string[], always: readonly string[] = []) =>
  fc.record(Object.fromEntries(names.map(name => [name, mostly(FIELDS[name] as fc.Arbitrary<unknown>)])), {
    requiredKeys: [...always],
  })

const headless = fc
  .tuple(
    fc.constantFrom('run', 'read_output', 'run', 'read_output', 'kill', 'list', 'other'),
    some(Object.keys(FIELDS).filter(name => !['mode', 'intent'].includes(name))),
    fc.oneof(
      fc.constantFrom(['command', 'args', 'cwd', 'timeout_ms', 'request_id', 'context', 'max_bytes']),
      fc.constantFrom(['session_id', 'cursor', 'wait_for', 'wait_ms', 'max_bytes', 'trace_id', 'client_request_id']),
      fc.subarray(Object.keys(FIELDS)),
    ),
  )
  .map(([action, fields, kept]) => ({ action, ...only(fields, kept) }))

const groups = {
  invocation: some(['mode', 'intent'], ['mode', 'intent']),
  execution: some(['command', 'args', 'context', 'env'], ['command']),
  runtime: some(['cwd', 'timeout_ms', 'approval_timeout_ms', 'nonsense', 'constructor']),
  correlation: some(['request_id', 'trace_id', 'client_request_id']),
  target: some(['session_id', 'terminal_id']),
  output: some(['cursor', 'wait_for', 'wait_ms', 'max_bytes', 'text']),
  command: text,
}
const interactive = fc
  .tuple(
    fc.constantFrom('execute', 'read_output', 'execute', 'read_output', 'run', 'terminate', 'list', 'other'),
    fc.record(groups),
    fc.oneof(
      fc.constantFrom(
        ['invocation', 'execution'],
        ['invocation', 'execution', 'runtime'],
        ['target'],
        ['target', 'output'],
      ),
      fc.subarray(Object.keys(groups)),
    ),
  )
  .map(([action, all, kept]) => ({ action, ...only(all, kept) }))

const only = (fields: object, kept: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => kept.includes(name)))

const outcome = (parse: () => unknown) => {
  try {
    return { value: parse() }
  } catch (cause) {
    return { refused: (cause as Error).message }
  }
}

test('what is read by hand is what the schema reads: memory_terminal', () => {
  let byHand = 0
  fc.assert(
    fc.property(headless, payload => {
      if (plainHeadless(payload) !== null) byHand++
      expect(outcome(() => parseHeadless(payload))).toEqual(outcome(() => headlessBySchema(payload)))
    }),
    { numRuns: 1000 },
  )
  expect(byHand).toBeGreaterThan(10)
})

test('what is read by hand is what the schema reads: memory_terminal_interactive', () => {
  let byHand = 0
  fc.assert(
    fc.property(interactive, payload => {
      if (plainInteractive(payload) !== null) byHand++
      expect(outcome(() => canonicalise(payload, 'accept'))).toEqual(
        outcome(() => canonicaliseBySchema(payload, 'accept')),
      )
    }),
    { numRuns: 1000 },
  )
  expect(byHand).toBeGreaterThan(10)
})

test.each([
  { action: 'run', command: 'git log -3' },
  { action: 'run', command: 'npm', args: ['test'], cwd: '/work', timeout_ms: 1000, request_id: 'r', max_bytes: 4096 },
  { action: 'read_output', session_id: 'r', cursor: 0, wait_for: 'exit', wait_ms: 30_000 },
])('the everyday request %j needs no schema', payload => {
  expect(plainHeadless(payload)).toEqual(payload)
})

test.each([
  { action: 'execute', invocation: { mode: 'interactive', intent: 'execute_command' }, execution: { command: 'ls' } },
  { action: 'read_output', target: { session_id: 'r' }, output: { cursor: 5, wait_for: 'exit', wait_ms: 30_000 } },
])('the everyday request %j of the other tool needs no schema', payload => {
  expect(plainInteractive(payload)).toEqual(payload)
})

test('a name that a parser leaves out is never taken by hand', () => {
  const withProto = JSON.parse('{"action":"run","command":"ls","__proto__":{"cwd":"/"}}')
  expect(plainHeadless(withProto)).toBeNull()
})
