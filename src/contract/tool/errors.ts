/**
 * Every way a request can fail, once. Category, retriability and fallback are looked up here and written nowhere else,
 * so that the same failure always gives the same advice. The product never acts on the advice itself.
 */
interface ErrorRow {
  readonly category:
    | 'validation'
    | 'user_decision'
    | 'runtime_timeout'
    | 'transport'
    | 'runtime_unavailable'
    | 'authorization'
    | 'identity'
    | 'internal'
  readonly trigger: string
  readonly retriable: boolean
  readonly strategy: string
  readonly next_action: 'execute' | 'read_output' | 'list' | 'none'
  readonly recommended_mode: 'interactive' | 'headless' | null
  readonly user_message: string
  /** What is different advice for one `details.phase`: the request class of docs/spec.md §1.10. */
  readonly phases?: Readonly<Record<string, Pick<ErrorRow, 'recommended_mode' | 'user_message'>>>
}

export const ERRORS = {
  PM_TERM_INVALID_ACTION: {
    category: 'validation',
    trigger: 'unknown action or alias',
    retriable: false,
    strategy: 'reject_no_retry',
    next_action: 'none',
    recommended_mode: null,
    user_message: 'This tool has no such action. Nothing ran.',
  },
  PM_TERM_INVALID_PAYLOAD: {
    category: 'validation',
    trigger: 'a field is missing, wrong or not allowed here',
    retriable: false,
    strategy: 'reject_no_retry',
    next_action: 'none',
    recommended_mode: null,
    user_message: 'This tool cannot take the request as it is. Nothing ran.',
  },
  PM_TERM_INVALID_MODE: {
    category: 'validation',
    trigger: 'unsupported invocation.mode, or an adapter without its inputs',
    retriable: false,
    strategy: 'reject_no_retry',
    next_action: 'none',
    recommended_mode: null,
    user_message: 'It cannot be done here as things are. Nothing ran.',
  },
  PM_TERM_APPROVAL_REQUIRED: {
    category: 'authorization',
    trigger: 'no rule covers the command and the headless lane cannot ask anybody',
    retriable: false,
    strategy: 'retry_interactive_for_approval',
    next_action: 'execute',
    recommended_mode: 'interactive',
    user_message: 'A person can decide: ask with memory_terminal_interactive, mode "interactive".',
  },
  PM_TERM_BLOCKED_DESTRUCTIVE: {
    category: 'authorization',
    trigger: 'the command is destructive',
    retriable: false,
    strategy: 'reject_with_safety_hint',
    next_action: 'none',
    recommended_mode: null,
    user_message: 'It destroys data. Only a person can do that, by typing it themselves.',
  },
  PM_TERM_DECLINED: {
    category: 'user_decision',
    trigger: 'a person declined the command',
    retriable: false,
    strategy: 'report_decline',
    next_action: 'none',
    recommended_mode: null,
    user_message: 'It did not run. Ask the person what to do instead.',
  },
  PM_TERM_TIMEOUT: {
    category: 'runtime_timeout',
    trigger: 'details.phase: handshake, approval (really shown, unanswered) or execution (kill_after_ms ended it)',
    retriable: true,
    strategy: 'suggest_retry_headless_or_interactive',
    next_action: 'execute',
    recommended_mode: 'headless',
    user_message: 'Time ran out. Try again later, with more time, or in the other mode.',
    phases: {
      // Nobody has judged the line yet, and what needs a question the headless lane refuses.
      handshake: {
        recommended_mode: 'interactive',
        user_message: 'The host did not answer in time. Try again later.',
      },
      // Whatever needs approval, the headless lane refuses.
      approval: {
        recommended_mode: 'interactive',
        user_message: 'Ask again when somebody is there, or with a longer runtime.approval_timeout_ms.',
      },
      execution: {
        recommended_mode: null,
        user_message: 'Run it again with more time, or without that limit.',
      },
    },
  },
  PM_TERM_DISCONNECTED: {
    category: 'transport',
    trigger: 'the connection to the host dropped, or was refused before anything ran (details.reason)',
    retriable: true,
    strategy: 'suggest_reconnect_retry',
    next_action: 'read_output',
    recommended_mode: 'interactive',
    user_message:
      'There is no connection to the host. Unless the message says that nothing ran, the command may be running: read its output before starting it again.',
  },
  PM_TERM_GUI_UNAVAILABLE: {
    category: 'runtime_unavailable',
    trigger: 'no window could be reached or opened, so nobody could be asked',
    retriable: true,
    strategy: 'fallback_to_headless_if_allowed',
    next_action: 'execute',
    recommended_mode: 'headless',
    user_message:
      'A person has to start the app first. Without one, memory_terminal runs commands that are allowlisted.',
  },
  PM_TERM_NOT_FOUND: {
    category: 'identity',
    trigger: 'unknown session or terminal id',
    retriable: false,
    strategy: 'refresh_list_then_retry',
    next_action: 'list',
    recommended_mode: null,
    user_message: 'List the runs and use an id from there.',
  },
  PM_TERM_INTERNAL: {
    category: 'internal',
    trigger: 'a fault of ours; the trace id finds the log line',
    retriable: true,
    strategy: 'deterministic_internal_fallback',
    next_action: 'none',
    recommended_mode: null,
    user_message: 'The trace id finds the reason in the log.',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS

export interface ErrorBody {
  readonly code: ErrorCode
  readonly category: ErrorRow['category']
  readonly message: string
  readonly retriable: boolean
  readonly details: Record<string, unknown>
}

export interface Fallback {
  readonly strategy: string
  readonly next_action: ErrorRow['next_action']
  readonly recommended_mode: ErrorRow['recommended_mode']
  readonly user_message: string
  readonly can_auto_retry: false
}

export type ErrorDetails = Readonly<Record<string, unknown>>

/** The one error class. `message` is for a person, `details` for the caller's program, `cause` for the log. */
export class TermError extends Error {
  override readonly name = 'TermError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, more: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.details = more.details ?? {}
  }
}

export function errorBody(error: TermError): ErrorBody {
  const { category, retriable } = ERRORS[error.code]
  return { code: error.code, category, message: error.message, retriable, details: { ...error.details } }
}

export function fallbackFor(code: ErrorCode, details: ErrorDetails = {}): Fallback {
  const row: ErrorRow = ERRORS[code]
  const { strategy, next_action } = row
  const { recommended_mode, user_message } = row.phases?.[String(details.phase)] ?? row
  return { strategy, next_action, recommended_mode, user_message, can_auto_retry: false }
}
