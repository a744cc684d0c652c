import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

/** Nothing a caller sends takes the server down, and every mistake gets its code, its field and its advice. */
let server: Opened
beforeAll(async () => {
  server = await openStdio()
  writeFileSync(join(server.work, 'file'), '')
  symlinkSync(join(server.work, 'nowhere'), join(server.work, 'dangling'))
  symlinkSync('loop', join(server.work, 'loop'))
  mkdirSync(join(server.work, 'dir'))
})
afterAll(() => server.close())

afterEach(async () => {
  // The next call works.
  const { data } = await server.headless({ action: 'run', command: 'pwd' })
  expect(data.result).toMatchObject({ stdout: `${server.work}\n`, exit_code: 0 })
})

const EXECUTE = { action: 'execute', invocation: { mode: 'headless', intent: 'execute_command' } }

interface Mistake {
  readonly what: string
  readonly headless: Record<string, unknown>
  readonly field: string
  readonly problem: string | RegExp
}

const said = (problem: Mistake['problem']) => (typeof problem === 'string' ? problem : expect.stringMatching(problem))

const MISTAKES: Mistake[] = [
  {
    what: 'a NUL byte in a command',
    headless: { command: 'echo \0' },
    field: 'command',
    problem: 'must not contain a NUL byte',
  },
  {
    what: 'a NUL byte in an argument',
    headless: { command: 'echo', args: ['\0'] },
    field: 'args.0',
    problem: 'must not contain a NUL byte',
  },
  {
    what: 'half of a character',
    headless: { command: 'echo \ud83d' },
    field: 'command',
    problem: 'must not contain half of a surrogate pair',
  },
  {
    what: 'a command of 10 MB',
    headless: { command: 'x'.repeat(10_000_000) },
    field: 'command',
    problem: 'must be at most 65536 bytes',
  },
  {
    what: 'a command one byte too long',
    headless: { command: 'x'.repeat(65_537) },
    field: 'command',
    problem: 'must be at most 65536 bytes',
  },
  {
    what: '100,000 arguments',
    headless: { command: 'echo', args: Array(100_000).fill('') },
    field: 'args',
    problem: 'must be at most 4096 strings',
  },
  {
    what: 'a variable with = in its name',
    headless: { command: 'pwd', env: { 'A=B': 'x' } },
    field: 'env.A=B',
    problem: 'must be a plain variable name: letters, digits and _',
  },
  {
    what: 'a directory that is a file',
    headless: { command: 'pwd', cwd: 'file' },
    field: 'cwd',
    problem: /work\/file is not a directory$/,
  },
  {
    what: 'a directory that is missing',
    headless: { command: 'pwd', cwd: '/no/such/place' },
    field: 'cwd',
    problem: '/no/such/place does not exist',
  },
  {
    what: 'a directory that is a link to nothing',
    headless: { command: 'pwd', cwd: 'dangling' },
    field: 'cwd',
    problem: /work\/dangling does not exist$/,
  },
  {
    what: 'a directory that is a link to itself',
    headless: { command: 'pwd', cwd: 'loop' },
    field: 'cwd',
    problem: /work\/loop does not exist$/,
  },
  {
    what: 'a directory below the home, by its tilde',
    headless: { command: 'pwd', cwd: '~/proj' },
    field: 'cwd',
    problem: /work\/~\/proj does not exist: ~ is not expanded here, write the home directory out$/,
  },
  { what: 'a number for a command', headless: { command: 7 }, field: 'command', problem: 'must be a string' },
  {
    what: 'a text for the arguments',
    headless: { command: 'ls', args: '-l' },
    field: 'args',
    problem: 'must be an array of strings',
  },
  {
    what: 'a text for a time',
    headless: { command: 'pwd', timeout_ms: '30s' },
    field: 'timeout_ms',
    problem: 'must be a whole number of milliseconds',
  },
]

/** The same request in the words of memory_terminal_interactive. */
function grouped({ command, args, env, cwd, ...runtime }: Record<string, unknown>) {
  const given = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { ...EXECUTE, execution: given({ command, args, env }), runtime: given({ cwd, ...runtime }) }
}
const groupedField = (field: string) => `${/^(cwd|timeout_ms)/.test(field) ? 'runtime' : 'execution'}.${field}`

const INVALID = {
  code: 'PM_TERM_INVALID_PAYLOAD',
  fallback: {
    strategy: 'reject_no_retry',
    next_action: 'none',
    recommended_mode: null,
    user_message: 'This tool cannot take the request as it is. Nothing ran.',
    can_auto_retry: false,
  },
}

describe('memory_terminal names what is wrong', () => {
  test.each(MISTAKES)('$what', async ({ headless, field, problem }) => {
    const { data, isError } = await server.headless({ action: 'run', ...headless })
    expect({ isError, code: data.error?.code, issues: data.error?.details.issues, fallback: data.fallback }).toEqual({
      isError: true,
      ...INVALID,
      issues: [{ field, problem: said(problem) }],
    })
  })
})

describe('memory_terminal_interactive names it in its own words', () => {
  test.each(MISTAKES)('$what', async ({ headless, field, problem }) => {
    const { data, isError } = await server.interactive(grouped(headless))
    expect({ isError, code: data.error?.code, issues: data.error?.details.issues, fallback: data.fallback }).toEqual({
      isError: true,
      ...INVALID,
      issues: [{ field: groupedField(field), problem: said(problem) }],
    })
  })
})

test('a command at the edge of the limit is judged, not refused for its length', async () => {
  const { data } = await server.headless({ action: 'run', command: `pwd ${'x'.repeat(65_532)}` })
  expect(data.error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
})

test.each([
  ['longer than a file name may be', 'x'.repeat(300)],
  ['longer than a path may be', 'x/'.repeat(2500)],
  ['below a file that is no directory', 'file/x'],
  ['below a link to itself', 'loop/x'],
])('an argument %s is only a text', async (_, word) => {
  const echo = server.place.script('echo.sh', '#!/bin/sh\nprintf %s "$1"\n')
  const { data } = await server.headless({ action: 'run', command: echo, args: [word] })
  expect({ code: data.error?.code, same: data.result.stdout === word }).toEqual({ code: undefined, same: true })
})

test('a directory may be relative, or a link to a real one', async () => {
  symlinkSync('dir', join(server.work, 'linked'))
  for (const cwd of ['dir', 'linked', join(server.work, 'dir')])
    expect((await server.headless({ action: 'run', command: 'pwd', cwd })).data.result.stdout).toBe(
      `${join(server.work, 'dir')}\n`,
    )
})

test.each([
  ['read_output', 'memory_terminal', { action: 'read_output', session_id: 'req_none' }],
  ['kill', 'memory_terminal', { action: 'kill', session_id: '..' }],
  ['read_output', 'memory_terminal_interactive', { action: 'read_output', target: { session_id: 'req_none' } }],
  ['terminate', 'memory_terminal_interactive', { action: 'terminate', target: { session_id: 'req_none' } }],
])('%s of an unknown session in %s is never an empty success', async (_, tool, payload) => {
  const { data, isError } = await server.call(tool, payload)
  expect({ isError, code: data.error?.code, next: data.fallback?.next_action }).toEqual({
    isError: true,
    code: 'PM_TERM_NOT_FOUND',
    next: 'list',
  })
})

test('an unknown tool is an error of the protocol', async () => {
  await expect(server.client.callTool({ name: 'memory_terminal_vscode', arguments: {} })).rejects.toThrow(
    /Unknown tool/,
  )
})

test('a program that cannot be started is told with the id that finds the log line', async () => {
  const script = server.place.script('broken.sh', '#!/no/such/interpreter\n')
  const { data, text } = await server.headless({ action: 'run', command: script, args: [], trace_id: 'trace-me' })
  expect({ code: data.error?.code, details: data.error?.details }).toEqual({
    code: 'PM_TERM_INTERNAL',
    details: { trace_id: 'trace-me', session_id: data.identity.session_id },
  })
  expect(`${JSON.stringify(data)}${text}`).not.toMatch(/at .*\.(ts|cjs):\d/)
  expect(
    server
      .log()
      .split('\n')
      .filter(line => line.includes('trace-me')),
  ).toHaveLength(1)
})

test('a destructive command is refused as one, a command without a rule as one that needs a person', async () => {
  const wiped = await server.headless({ action: 'run', command: 'rm -rf /' })
  const unknown = await server.headless({ action: 'run', command: 'chmod 600 file' })
  expect([wiped, unknown].map(({ data }) => [data.error?.code, data.result.authorization, data.result.state])).toEqual([
    ['PM_TERM_BLOCKED_DESTRUCTIVE', 'blocked', 'blocked'],
    ['PM_TERM_APPROVAL_REQUIRED', 'blocked', 'blocked'],
  ])
})

test('kill_after_ms kills, and that is a timeout with its phase and what was printed', async () => {
  const line = server.place.shell('echo begun; sleep 60')
  const { data } = await server.headless({ action: 'run', ...line, kill_after_ms: 300 })
  expect({
    code: data.error?.code,
    phase: data.error?.details.phase,
    state: data.result.state,
    stdout: data.result.stdout,
    exit_code: data.result.exit_code,
  }).toEqual({ code: 'PM_TERM_TIMEOUT', phase: 'execution', state: 'timed_out', stdout: 'begun\n', exit_code: -1 })
})

test('hundreds of bad calls at once leave the server as it was', async () => {
  const bad = [
    { action: 'zap' },
    { action: 'run' },
    { action: 'run', command: '\0' },
    { action: 'kill', session_id: 'x' },
  ]
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => server.headless(bad[i % bad.length] as Record<string, unknown>)),
  )
  expect(answers.every(({ isError }) => isError)).toBe(true)
})
