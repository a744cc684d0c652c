import { describe, expect, test } from 'vitest'
import { canonicalise } from './canonicalise.ts'
import { fallbackFor, TermError } from './errors.ts'
import type { Issue } from './issues.ts'

const problemsOf = (payload: unknown): { code: string; issues: readonly Issue[] } => {
  try {
    canonicalise(payload, 'accept')
    return { code: 'accepted', issues: [] }
  } catch (cause) {
    if (!(cause instanceof TermError)) throw cause
    return { code: cause.code, issues: (cause.details.issues ?? []) as readonly Issue[] }
  }
}

const headless = { mode: 'headless', intent: 'execute_command' }
const interactive = { mode: 'interactive', intent: 'execute_command' }
const opening = { mode: 'interactive', intent: 'open_only' }

describe('fields that do not go together are refused, each by its name', () => {
  test.each<[string, unknown, Issue[]]>([
    [
      'execute without a mode',
      { action: 'execute', invocation: { intent: 'execute_command' }, execution: { command: 'pwd' } },
      [{ field: 'invocation.mode', problem: 'is required for execute: "interactive" or "headless"' }],
    ],
    [
      'execute without an intent',
      { action: 'execute', invocation: { mode: 'headless' }, execution: { command: 'pwd' } },
      [{ field: 'invocation.intent', problem: 'is required for execute: "execute_command" or "open_only"' }],
    ],
    [
      'execute_command without a command',
      { action: 'execute', invocation: interactive },
      [{ field: 'execution.command', problem: 'is required when invocation.intent is "execute_command"' }],
    ],
    [
      'input without a target, with what would start something',
      { action: 'execute', invocation: interactive, execution: { input: 'y\n', command: 'ls' }, runtime: { cwd: '/' } },
      [
        {
          field: 'execution.command',
          problem: 'is not allowed with execution.input: it goes to a program that runs already',
        },
        {
          field: 'runtime.cwd',
          problem: 'is not allowed with execution.input: it goes to a program that runs already',
        },
        { field: 'target', problem: 'with the session_id of the running program is required with execution.input' },
      ],
    ],
    [
      'input for a headless command',
      { action: 'execute', invocation: headless, target: { session_id: 'req_1' }, execution: { input: 'y\n' } },
      [{ field: 'execution.input', problem: 'needs a terminal: a headless command has no keyboard' }],
    ],
    [
      'opening a terminal with a command',
      { action: 'execute', invocation: opening, execution: { command: 'pwd' } },
      [{ field: 'execution.command', problem: 'is not allowed when invocation.intent is "open_only"' }],
    ],
    [
      'opening a terminal with arguments',
      { action: 'execute', invocation: opening, execution: { args: ['x'] } },
      [{ field: 'execution.args', problem: 'is not allowed when invocation.intent is "open_only"' }],
    ],
    [
      'opening a shell with variables and a virtualenv, which it would not have',
      {
        action: 'execute',
        invocation: opening,
        runtime: { venv_path: '.venv', activate_venv: true },
        execution: { env: { CI: '1' } },
      },
      ['execution.env', 'runtime.venv_path', 'runtime.activate_venv'].map(field => ({
        field,
        problem:
          'is not allowed when a shell of the person is opened: it starts as they set it up. Send it with a command instead',
      })),
    ],
    [
      'opening a terminal nobody can see',
      { action: 'execute', invocation: { mode: 'headless', intent: 'open_only' } },
      [{ field: 'invocation.intent', problem: '"open_only" is not allowed when invocation.mode is "headless"' }],
    ],
    [
      'a terminal for a headless command',
      { action: 'execute', invocation: headless, execution: { command: 'pwd' }, target: { terminal_id: 't1' } },
      [
        {
          field: 'target.terminal_id',
          problem: 'is not allowed on a new execute when invocation.mode is "headless"',
        },
      ],
    ],
    [
      'reading without saying what',
      { action: 'read_output' },
      [{ field: 'target', problem: 'with session_id or terminal_id is required for read_output' }],
    ],
    [
      'reading an empty target',
      { action: 'read_output', target: {} },
      [{ field: 'target', problem: 'with session_id or terminal_id is required for read_output' }],
    ],
    [
      'reading with a command',
      { action: 'read_output', target: { session_id: 's' }, execution: { command: 'pwd' } },
      [{ field: 'execution', problem: 'is not allowed for read_output' }],
    ],
    [
      'ending without saying what',
      { action: 'terminate' },
      [{ field: 'target', problem: 'with session_id or terminal_id is required for terminate' }],
    ],
    [
      'ending with a command',
      { action: 'terminate', target: { session_id: 's' }, execution: { command: 'pwd' } },
      [{ field: 'execution', problem: 'is not allowed for terminate' }],
    ],
    [
      'listing with a command',
      { action: 'list', execution: { command: 'pwd' } },
      [{ field: 'execution', problem: 'is not allowed for list' }],
    ],
    [
      'listing with a target',
      { action: 'list', target: { session_id: 's' } },
      [{ field: 'target', problem: 'is not allowed for list' }],
    ],
    [
      'listing with output options',
      { action: 'list', output: { max_bytes: 1000 } },
      [{ field: 'output', problem: 'is not allowed for list' }],
    ],
    [
      'waiting for a text without the text',
      { action: 'read_output', target: { session_id: 's' }, output: { wait_for: 'text', wait_ms: 10 } },
      [{ field: 'output.text', problem: 'is required when output.wait_for is "text"' }],
    ],
    [
      'a legacy action that means something else',
      { action: 'list', compat: { legacy_action: 'kill' } },
      [{ field: 'compat.legacy_action', problem: '"kill" means terminate, not list' }],
    ],
    [
      'kill with a terminal instead of a session',
      { action: 'kill', terminal_id: 't1' },
      [{ field: 'target.session_id', problem: 'is required for "kill"' }],
    ],
    [
      'close with a session instead of a terminal',
      { action: 'close', session_id: 's1' },
      [{ field: 'target.terminal_id', problem: 'is required for "close"' }],
    ],
    [
      'send without a terminal',
      { action: 'send', command: 'pwd' },
      [{ field: 'target.terminal_id', problem: 'is required for "send"' }],
    ],
  ])('%s', (_, payload, issues) => {
    expect(problemsOf(payload)).toEqual({ code: 'PM_TERM_INVALID_PAYLOAD', issues })
  })

  test('an interactive command may name a terminal, and a terminal may be opened without a command', () => {
    expect(
      problemsOf({
        action: 'execute',
        invocation: interactive,
        execution: { command: 'pwd' },
        target: { terminal_id: 't1' },
      }),
    ).toEqual({ code: 'accepted', issues: [] })
    expect(problemsOf({ action: 'execute', invocation: opening })).toEqual({ code: 'accepted', issues: [] })
  })
})

test('everything that is wrong with a payload is told at once', () => {
  const { code, issues } = problemsOf({
    action: 'execute',
    invocation: { mode: 'headless', intent: 'open_only' },
    execution: { command: 'a\0b', args: ['x'], env: { 'A=B': '1' } },
    target: { terminal_id: 'not an id' },
    runtime: { cwd: 7, timeout_ms: -1 },
    output: { wait_for: 'text' },
    compat: { legacy_action: 'kill' },
    shell: true,
  })
  expect({ code, fields: issues.map(issue => issue.field).sort() }).toEqual({
    code: 'PM_TERM_INVALID_PAYLOAD',
    fields: [
      'compat.legacy_action',
      'execution.args',
      'execution.command',
      'execution.command',
      'execution.env',
      'execution.env.A=B',
      'invocation.intent',
      'output.text',
      'runtime.cwd',
      'runtime.timeout_ms',
      'shell',
      'target.terminal_id',
      'target.terminal_id',
    ],
  })
})

test('a payload with a thousand mistakes gets an answer a model can read', () => {
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field_${i}`, i]))
  try {
    canonicalise({ action: 'list', ...unknown }, 'accept')
    expect.unreachable()
  } catch (cause) {
    const { details } = cause as TermError
    expect({ told: (details.issues as Issue[]).length, found: details.issue_count }).toEqual({ told: 32, found: 1000 })
  }
})

test.each(['invocation', 'correlation', 'runtime', 'execution', 'target', 'output', 'compat'])(
  'a text where the object "%s" belongs is named',
  group => {
    const payload = { action: 'execute', invocation: headless, execution: { command: 'pwd' }, [group]: 'text' }
    const { code, issues } = problemsOf(payload)
    expect(code).toBe('PM_TERM_INVALID_PAYLOAD')
    expect(issues).toContainEqual({ field: group, problem: 'must be object, received string' })
  },
)

test.each([['text'], [null], [['headless']], [7]])(
  'an alias does not paper over an invocation that is no object (%j)',
  invocation => {
    const { code, issues } = problemsOf({ action: 'run', command: 'pwd', invocation })
    expect(code).toBe('PM_TERM_INVALID_PAYLOAD')
    expect(issues.map(issue => issue.field)).toContain('invocation')
  },
)

test.each([['just text'], [null], [['run']], [7], [undefined]])('a payload that is %j is no request', payload => {
  expect(problemsOf(payload)).toEqual({
    code: 'PM_TERM_INVALID_PAYLOAD',
    issues: [{ field: 'payload', problem: 'must be an object' }],
  })
})

test.each([['sideways'], [7], [null]])('a mode that does not exist (%j) has a code of its own', mode => {
  expect(
    problemsOf({ action: 'execute', invocation: { mode, intent: 'execute_command' }, execution: { command: 'pwd' } }),
  ).toEqual({
    code: 'PM_TERM_INVALID_MODE',
    issues: [{ field: 'invocation.mode', problem: 'must be one of "interactive"|"headless"' }],
  })
})

test('an adapter nobody knows is refused by its name', () => {
  expect(
    problemsOf({
      action: 'execute',
      invocation: interactive,
      execution: { command: 'pwd' },
      runtime: { adapter_override: 'telepathy' },
    }),
  ).toEqual({
    code: 'PM_TERM_INVALID_PAYLOAD',
    issues: [
      {
        field: 'runtime.adapter_override',
        problem: 'must be one of "local"|"bundled"|"container_bridge"|"auto"',
      },
    ],
  })
})

test('a request refused for its shape is never advised to be sent again', () => {
  for (const code of ['PM_TERM_INVALID_PAYLOAD', 'PM_TERM_INVALID_ACTION', 'PM_TERM_INVALID_MODE'] as const)
    expect(fallbackFor(code)).toMatchObject({ strategy: 'reject_no_retry', next_action: 'none', can_auto_retry: false })
})
