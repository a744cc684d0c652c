import { describe, expect, test } from 'vitest'
import { TermError } from './errors.ts'
import { HEADLESS_ACTIONS, parseHeadless } from './headless-request.ts'
import type { Issue } from './issues.ts'

const problemsOf = (payload: unknown): { code: string; issues: readonly Issue[] } => {
  try {
    parseHeadless(payload)
    return { code: 'accepted', issues: [] }
  } catch (cause) {
    if (!(cause instanceof TermError)) throw cause
    return { code: cause.code, issues: (cause.details.issues ?? []) as readonly Issue[] }
  }
}

test.each([
  [{ action: 'run', command: 'git log -3' }],
  [{ action: 'run', command: 'ls', args: ['-l', ''], cwd: '/', env: { CI: '1' }, timeout_ms: 0, kill_after_ms: 1 }],
  [{ action: 'run', command: 'ls', timeout: 5, workspace_id: 'w', request_id: 'r:1', trace_id: 't', context: 'why' }],
  [{ action: 'run', command: 'ls', max_bytes: 256, view: 'tail' }],
  [{ action: 'read_output', session_id: 's', cursor: 0, wait_for: 'text', text: ['a', 'b'], wait_ms: 5 }],
  [{ action: 'kill', session_id: 's' }],
  [{ action: 'list' }],
  [{ action: 'get_allowlist', cwd: '/', workspace_id: 'w' }],
  [{ action: 'update_allowlist', operation: 'add', patterns: ['npm run build'] }],
])('%j is a request, taken as it is', payload => {
  expect(parseHeadless(payload)).toEqual(payload)
})

describe('each action needs its own fields', () => {
  test.each<[Record<string, unknown>, string[]]>([
    [{ action: 'run' }, ['command']],
    [{ action: 'read_output' }, ['session_id']],
    [{ action: 'kill' }, ['session_id']],
    [{ action: 'update_allowlist' }, ['operation', 'patterns']],
    [{ action: 'update_allowlist', operation: 'add' }, ['patterns']],
  ])('%j lacks %j', (payload, fields) => {
    expect(problemsOf(payload)).toEqual({
      code: 'PM_TERM_INVALID_PAYLOAD',
      issues: fields.map(field => ({ field, problem: `is required for ${payload.action}` })),
    })
  })
})

describe('a field of another action is out of place, not silently dropped', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ action: 'kill', session_id: 's', command: 'pwd' }, 'command'],
    [{ action: 'kill', session_id: 's', cursor: 1 }, 'cursor'],
    [{ action: 'read_output', session_id: 's', command: 'pwd' }, 'command'],
    [{ action: 'run', command: 'pwd', session_id: 's' }, 'session_id'],
    [{ action: 'run', command: 'pwd', patterns: [] }, 'patterns'],
    [{ action: 'list', session_id: 's' }, 'session_id'],
    [{ action: 'get_allowlist', patterns: [] }, 'patterns'],
    [{ action: 'update_allowlist', operation: 'add', patterns: [], cwd: '/' }, 'cwd'],
  ])('%j', (payload, field) => {
    expect(problemsOf(payload)).toEqual({
      code: 'PM_TERM_INVALID_PAYLOAD',
      issues: [{ field, problem: `is not allowed for ${payload.action}` }],
    })
  })
})

test('a field nobody knows is named', () => {
  expect(problemsOf({ action: 'list', verbose: true })).toEqual({
    code: 'PM_TERM_INVALID_PAYLOAD',
    issues: [{ field: 'verbose', problem: 'is not a field of this request' }],
  })
})

test('everything that is wrong is told at once', () => {
  const { code, issues } = problemsOf({
    action: 'run',
    command: 5,
    args: 'x',
    cwd: [],
    env: 'x',
    timeout_ms: 'soon',
    kill_after_ms: 0,
    workspace_id: '..',
    request_id: 'two words',
    max_bytes: 1,
    wait_for: 'text',
    shell: true,
  })
  expect({ code, fields: issues.map(issue => issue.field).sort() }).toEqual({
    code: 'PM_TERM_INVALID_PAYLOAD',
    fields: [
      'args',
      'command',
      'cwd',
      'env',
      'kill_after_ms',
      'max_bytes',
      'request_id',
      'shell',
      'text',
      'timeout_ms',
      'workspace_id',
    ],
  })
})

test.each([[undefined], ['explode'], [7], [null], ['toString']])('the action %j is unknown', action => {
  try {
    parseHeadless({ action })
    expect.unreachable()
  } catch (cause) {
    const { code, details } = cause as TermError
    expect({ code, details }).toEqual({
      code: 'PM_TERM_INVALID_ACTION',
      details: { field: 'action', actions: HEADLESS_ACTIONS },
    })
  }
})

describe('a payload of another tool is told where it belongs', () => {
  test.each<[string, Record<string, unknown>]>([
    ['memory_terminal_interactive', { action: 'execute' }],
    ['memory_terminal_interactive', { action: 'terminate', target: { session_id: 's' } }],
    ['memory_terminal_interactive', { action: 'send', terminal_id: 't', command: 'pwd' }],
    ['memory_terminal_interactive', { action: 'close', terminal_id: 't' }],
    ['memory_terminal_interactive', { action: 'create' }],
    ['memory_terminal_interactive', { action: 'run', execution: { command: 'pwd' } }],
    ['memory_terminal_interactive', { action: 'read_output', target: { session_id: 's' } }],
    ['memory_terminal_interactive', { action: 'run', command: 'pwd', correlation: { request_id: 'r' } }],
  ])('%s for %j', (tool, payload) => {
    try {
      parseHeadless(payload)
      expect.unreachable()
    } catch (cause) {
      const { code, details } = cause as TermError
      expect({ code, hint: details.hint }).toEqual({
        code: 'PM_TERM_INVALID_PAYLOAD',
        hint: `Call ${tool} instead.`,
      })
    }
  })
})

test.each([['text'], [null], [[]], [7]])('a payload that is %j is no request', payload => {
  expect(problemsOf(payload)).toEqual({
    code: 'PM_TERM_INVALID_PAYLOAD',
    issues: [{ field: 'payload', problem: 'must be an object' }],
  })
})

test('a variable with a magic name is refused, not dropped', () => {
  const { code, issues } = problemsOf(JSON.parse('{"action":"run","command":"pwd","env":{"__proto__":"x"}}'))
  // A plain name for a variable; whether it may be set is for the gate. Dropping it would run another request.
  expect(code === 'accepted' ? 'dropped' : issues.map(issue => issue.field)).toEqual(['env.__proto__'])
})
