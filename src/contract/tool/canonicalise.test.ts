import { describe, expect, test } from 'vitest'
import { ALIAS_NAMES, ALIASES, type Alias } from './aliases.ts'
import { canonicalise } from './canonicalise.ts'
import { TermError } from './errors.ts'

const LEGACY: Record<Alias, { sent: Record<string, unknown>; means: Record<string, unknown> }> = {
  run: {
    sent: { action: 'run', command: 'pwd' },
    means: {
      action: 'execute',
      invocation: { mode: 'headless', intent: 'execute_command' },
      execution: { command: 'pwd' },
    },
  },
  kill: { sent: { action: 'kill', session_id: 's1' }, means: { action: 'terminate', target: { session_id: 's1' } } },
  send: {
    sent: { action: 'send', terminal_id: 't1', command: 'pwd' },
    means: {
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      execution: { command: 'pwd' },
      target: { terminal_id: 't1' },
    },
  },
  close: {
    sent: { action: 'close', terminal_id: 't1' },
    means: { action: 'terminate', target: { terminal_id: 't1' } },
  },
  create: {
    sent: { action: 'create' },
    means: { action: 'execute', invocation: { mode: 'interactive', intent: 'open_only' } },
  },
}

const refusalOf = (payload: unknown, phase: 'accept' | 'warn' | 'strict' = 'accept'): TermError => {
  try {
    canonicalise(payload, phase)
  } catch (cause) {
    if (cause instanceof TermError) return cause
    throw cause
  }
  throw new Error('it was accepted')
}

describe.each(ALIAS_NAMES)('the legacy action "%s"', alias => {
  const { sent, means } = LEGACY[alias]

  test.each(['accept', 'warn'] as const)('means what it always meant while the phase is %s', phase => {
    expect(canonicalise(sent, phase)).toEqual(means)
  })

  test('is rejected in the strict phase, with the request to send instead', () => {
    const { code, message, details } = refusalOf(sent, 'strict')
    expect({ code, message, details }).toEqual({
      code: 'PM_TERM_INVALID_ACTION',
      message: `The action "${alias}" is no longer accepted. Use ${ALIASES[alias].hint}.`,
      details: {
        field: 'action',
        canonical_actions: ['execute', 'read_output', 'terminate', 'list'],
        migration: Object.fromEntries(ALIAS_NAMES.map(name => [name, ALIASES[name].hint])),
        replacement: means,
      },
    })
  })

  test('can be replaced by exactly what the rejection spells out', () => {
    expect(canonicalise(refusalOf(sent, 'strict').details.replacement, 'strict')).toEqual(means)
  })
})

test('canonical actions are welcome in every phase', () => {
  for (const phase of ['accept', 'warn', 'strict'] as const)
    expect(canonicalise({ action: 'list' }, phase)).toEqual({ action: 'list' })
})

test('list is no alias: it stays list', () => {
  expect(canonicalise({ action: 'list' }, 'strict').action).toBe('list')
})

test('a rejection does not send a huge command back', () => {
  const { details } = refusalOf({ action: 'run', command: 'x'.repeat(1_000_000) }, 'strict')
  expect(JSON.stringify(details).length).toBeLessThan(70_000)
})

describe('flat fields of old callers', () => {
  test('move into their groups', () => {
    expect(
      canonicalise(
        {
          action: 'run',
          command: 'ls',
          args: ['-l'],
          env: { CI: '1' },
          cwd: '/tmp',
          timeout: 5,
          workspace_id: 'w',
        },
        'accept',
      ),
    ).toEqual({
      action: 'execute',
      invocation: { mode: 'headless', intent: 'execute_command' },
      execution: { command: 'ls', args: ['-l'], env: { CI: '1' } },
      runtime: { cwd: '/tmp', timeout_ms: 5, workspace_id: 'w' },
    })
  })

  test('work with canonical actions too', () => {
    expect(canonicalise({ action: 'read_output', session_id: 's1' }, 'strict')).toEqual({
      action: 'read_output',
      target: { session_id: 's1' },
    })
  })

  test('lose against the grouped form', () => {
    expect(
      canonicalise(
        {
          action: 'run',
          command: 'flat',
          cwd: '/flat',
          timeout: 1,
          workspace_id: 'flat',
          execution: { command: 'grouped' },
          runtime: { cwd: '/grouped', timeout_ms: 2, workspace_id: 'grouped' },
        },
        'accept',
      ),
    ).toEqual({
      action: 'execute',
      invocation: { mode: 'headless', intent: 'execute_command' },
      execution: { command: 'grouped' },
      runtime: { cwd: '/grouped', timeout_ms: 2, workspace_id: 'grouped' },
    })
  })

  test('are checked like grouped ones', () => {
    expect(refusalOf({ action: 'run', command: 7 }).details.issues).toEqual([
      { field: 'execution.command', problem: 'must be a string' },
    ])
  })

  test('timeout_ms wins over its older name, as in memory_terminal', () => {
    expect(canonicalise({ action: 'run', command: 'ls', timeout: 1, timeout_ms: 2 }, 'accept').runtime).toEqual({
      timeout_ms: 2,
    })
  })
})

test('an alias keeps the mode its caller asked for', () => {
  expect(canonicalise({ action: 'run', invocation: { mode: 'interactive' }, command: 'pwd' }, 'accept')).toEqual({
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command: 'pwd' },
  })
})

test('a call waits 30 seconds unless it says otherwise', () => {
  const request = { action: 'execute', invocation: { mode: 'headless', intent: 'execute_command' } }
  expect(canonicalise({ ...request, execution: { command: 'pwd' }, runtime: {} }, 'accept').runtime).toEqual({
    timeout_ms: 30_000,
  })
})

test.each([
  ['action', { action: 'explode' }, 'action "explode" is unknown. Use execute, read_output, terminate, list.'],
  ['action', {}, 'action is missing. Use execute, read_output, terminate, list.'],
  ['action', { action: 7 }, 'action must be a string. Use execute, read_output, terminate, list.'],
  ['action', { action: 'constructor' }, 'action "constructor" is unknown. Use execute, read_output, terminate, list.'],
  ['action', { action: '\u001b[2J' }, 'action "?[2J" is unknown. Use execute, read_output, terminate, list.'],
  [
    'compat.legacy_action',
    { action: 'list', compat: { legacy_action: 'zap' } },
    'compat.legacy_action "zap" is unknown. Use execute, read_output, terminate, list.',
  ],
])('an unknown %s is told the actions there are and what the old ones became: %j', (field, payload, message) => {
  const error = refusalOf(payload)
  expect({ code: error.code, message: error.message, details: error.details }).toEqual({
    code: 'PM_TERM_INVALID_ACTION',
    message,
    details: {
      field,
      canonical_actions: ['execute', 'read_output', 'terminate', 'list'],
      migration: Object.fromEntries(ALIAS_NAMES.map(name => [name, ALIASES[name].hint])),
    },
  })
})

test.each([
  ['memory_terminal', { action: 'get_allowlist' }],
  ['memory_terminal', { action: 'update_allowlist', operation: 'add', patterns: ['ls *'] }],
  ['memory_terminal', { action: 'list', patterns: [] }],
])('a payload of %s is told where it belongs: %j', (tool, payload) => {
  const { code, message, details } = refusalOf(payload)
  expect({ code, hint: details.hint, field: details.issues }).toEqual({
    code: 'PM_TERM_INVALID_PAYLOAD',
    hint: `Call ${tool} instead.`,
    field: [{ field: 'payload', problem: expect.stringContaining(`belongs to ${tool}`) }],
  })
  expect(message).toContain(tool)
})

test('a field smuggled in under a magic name is refused like any other', () => {
  expect(refusalOf(JSON.parse('{"action":"list","__proto__":{"x":1}}')).details.issues).toEqual([
    { field: '__proto__', problem: 'is not a field of this request' },
  ])
})

test('what a caller sent is not changed by reading it', () => {
  const payload = { action: 'run', command: 'pwd', runtime: { cwd: '/' }, cwd: '/tmp' }
  const before = structuredClone(payload)
  canonicalise(payload, 'accept')
  expect(payload).toEqual(before)
})
