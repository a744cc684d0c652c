import { expect, test } from 'vitest'
import { ERRORS, type ErrorCode, errorBody, fallbackFor, TermError } from './errors.ts'
import { ErrorBody, Fallback } from './response.ts'

/** docs/spec.md §1.10, D3 and D8: what each failure means to the caller. */
const EXPECTED: Record<ErrorCode, [category: string, retriable: boolean, strategy: string, mode: string | null]> = {
  PM_TERM_INVALID_ACTION: ['validation', false, 'reject_no_retry', null],
  PM_TERM_INVALID_PAYLOAD: ['validation', false, 'reject_no_retry', null],
  PM_TERM_INVALID_MODE: ['validation', false, 'reject_no_retry', null],
  PM_TERM_APPROVAL_REQUIRED: ['authorization', false, 'retry_interactive_for_approval', 'interactive'],
  PM_TERM_BLOCKED_DESTRUCTIVE: ['authorization', false, 'reject_with_safety_hint', null],
  PM_TERM_DECLINED: ['user_decision', false, 'report_decline', null],
  PM_TERM_TIMEOUT: ['runtime_timeout', true, 'suggest_retry_headless_or_interactive', 'headless'],
  PM_TERM_DISCONNECTED: ['transport', true, 'suggest_reconnect_retry', 'interactive'],
  PM_TERM_GUI_UNAVAILABLE: ['runtime_unavailable', true, 'fallback_to_headless_if_allowed', 'headless'],
  PM_TERM_NOT_FOUND: ['identity', false, 'refresh_list_then_retry', null],
  PM_TERM_INTERNAL: ['internal', true, 'deterministic_internal_fallback', null],
}
const CODES = Object.keys(ERRORS) as ErrorCode[]

test('the table has the codes of the specification and no other', () => {
  expect(CODES.sort()).toEqual(Object.keys(EXPECTED).sort())
})

test.each(CODES)('%s comes with complete advice, the same every time', code => {
  const fallback = fallbackFor(code)
  expect(Fallback.parse(fallback)).toEqual(fallback)
  expect(fallbackFor(code)).toEqual(fallback)
  expect(fallback.user_message.length).toBeGreaterThan(20)
  const [category, retriable, strategy, mode] = EXPECTED[code]
  expect({
    category: ERRORS[code].category,
    retriable: ERRORS[code].retriable,
    strategy: fallback.strategy,
    mode: fallback.recommended_mode,
    can_auto_retry: fallback.can_auto_retry,
  }).toEqual({ category, retriable, strategy, mode, can_auto_retry: false })
})

test.each(['handshake', 'approval', 'execution'])(
  'a timeout of the phase %s sends nobody to the lane that would refuse the line',
  phase => {
    expect(fallbackFor('PM_TERM_TIMEOUT', { phase }).recommended_mode).not.toBe('headless')
  },
)

test('an error tells its code, category and details, and never its stack or cause', () => {
  const error = new TermError('PM_TERM_NOT_FOUND', 'There is no run x.', {
    details: { session_id: 'x' },
    cause: new Error('secret'),
  })
  const body = errorBody(error)
  expect(ErrorBody.parse(body)).toEqual(body)
  expect(body).toEqual({
    code: 'PM_TERM_NOT_FOUND',
    category: 'identity',
    message: 'There is no run x.',
    retriable: false,
    details: { session_id: 'x' },
  })
})
