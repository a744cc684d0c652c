import { describe, expect, test } from 'vitest'
import { canonicalise } from '../../contract/tool/canonicalise.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { parseHeadless } from '../../contract/tool/headless-request.ts'
import type { Result } from '../../contract/tool/response.ts'
import { type CallContext, refuse, respond } from '../answers/present.ts'
import { presentText } from '../answers/present-text.ts'
import { nextCall } from './next-call.ts'

const context = (tool: CallContext['tool'], more: Partial<CallContext> = {}): CallContext => ({
  tool,
  action: tool === 'memory_terminal' ? 'run' : 'execute',
  canonical: 'execute',
  alias: null,
  warning: null,
  mode: 'headless',
  requestId: 'r1',
  requestIdIs: 'given',
  traceId: 't1',
  clientRequestId: null,
  ...more,
})
const NOT_ALLOWED = new TermError('PM_TERM_APPROVAL_REQUIRED', 'Not allowlisted: no rule covers it. Nothing ran in /x.')

/** The answer as a model that sees only text reads it. */
function told(response: ReturnType<typeof respond>, tool: CallContext['tool'], payload: unknown): string {
  const next = nextCall(response, tool, payload)
  return presentText(next ? { ...response, next } : response)
}

describe('what no rule covers is answered with the request that asks a person', () => {
  test.each([
    ['memory_terminal', { action: 'run', command: 'npm i', cwd: '/x', timeout: 9, request_id: 'r1', max_bytes: 300 }],
    ['memory_terminal_interactive', { action: 'run', command: 'npm i', cwd: '/x', timeout: 9 }],
    [
      'memory_terminal_interactive',
      {
        action: 'execute',
        correlation: { request_id: 'r1' },
        invocation: { mode: 'headless', intent: 'execute_command' },
        execution: { command: 'npm i' },
        runtime: { cwd: '/x', timeout_ms: 9 },
      },
    ],
  ] as const)('by %s for %j', (tool, payload) => {
    const response = refuse(context(tool), NOT_ALLOWED, { sessionId: 'r1' })
    const next = nextCall(response, tool, payload)
    expect(next).toEqual({
      tool: 'memory_terminal_interactive',
      arguments: {
        action: 'execute',
        invocation: { mode: 'interactive', intent: 'execute_command' },
        execution: { command: 'npm i' },
        runtime: { cwd: '/x', timeout_ms: 9 },
      },
    })
    // It is really taken, and the text has all of it.
    expect(canonicalise(next?.arguments, 'strict').invocation?.mode).toBe('interactive')
    expect(told(response, tool, payload)).toContain(
      `\nA person can decide: ask with memory_terminal_interactive ${JSON.stringify(next?.arguments)}`,
    )
  })

  test('but not once more where a person was asked already', () => {
    const response = refuse(context('memory_terminal_interactive', { mode: 'interactive' }), NOT_ALLOWED)
    expect(nextCall(response, 'memory_terminal_interactive', { action: 'execute' })).toBe(null)
  })

  test('and not with a command too long to be sent back', () => {
    const response = refuse(context('memory_terminal'), NOT_ALLOWED)
    expect(nextCall(response, 'memory_terminal', { action: 'run', command: 'x'.repeat(5000) })).toBe(null)
  })
})

const CUT: Result = {
  state: 'exited',
  exit_code: 0,
  stdout: 'x',
  cursor: 900,
  output_bytes: 900,
  omitted_bytes: 600,
  omitted_from: 100,
}

test.each(['memory_terminal', 'memory_terminal_interactive'] as const)(
  'output that was left out by %s can be read with the call in the answer',
  tool => {
    const response = respond(context(tool), CUT, { sessionId: 's1' })
    const call = nextCall(response, tool, {})?.arguments
    const parsed = tool === 'memory_terminal' ? parseHeadless(call) : canonicalise(call, 'strict')
    expect(parsed.action).toBe('read_output')
    expect(JSON.stringify(call)).toContain('"cursor":100')
    expect(told(response, tool, {})).toContain(`Read them with ${JSON.stringify(call)}`)
  },
)

test('an answer with everything in it needs no further call', () => {
  const { omitted_bytes: _, omitted_from: __, ...whole } = CUT
  expect(nextCall(respond(context('memory_terminal'), whole, { sessionId: 's1' }), 'memory_terminal', {})).toBe(null)
})

test('a question about rules that is still open names no run to read', () => {
  const response = respond(context('memory_terminal', { action: 'update_allowlist' }), {}, { running: true })
  expect(nextCall(response, 'memory_terminal', {})).toBe(null)
})
