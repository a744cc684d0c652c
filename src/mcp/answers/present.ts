import type { CallerSurface } from '../../contract/caller-surfaces.ts'
import type { Alias, CanonicalAction } from '../../contract/tool/aliases.ts'
import { errorBody, fallbackFor, type TermError } from '../../contract/tool/errors.ts'
import type { Mode } from '../../contract/tool/request.ts'
import type { AnyResponse, Result } from '../../contract/tool/response.ts'
import type { Asker } from '../../contract/wire/asker.ts'
import { shortResult } from './short-answer.ts'

export type ToolName = 'memory_terminal' | 'memory_terminal_interactive'

/** What every answer to one call has in common. */
export interface CallContext {
  readonly tool: ToolName
  readonly action: AnyResponse['action']
  readonly canonical: CanonicalAction | 'get_allowlist' | 'update_allowlist' | null
  readonly alias: Alias | null
  readonly warning: string | null
  readonly mode: Mode | null
  readonly surface?: CallerSurface | undefined
  readonly requestId: string
  readonly requestIdIs: 'given' | 'made'
  readonly traceId: string
  readonly clientRequestId: string | null
  /** Who calls, by its own word. */
  readonly asker?: Asker | undefined
}

/** The run, and the terminal it is in, that an answer is about. */
interface AnswerSubject {
  readonly sessionId?: string
  readonly terminalId?: string | null
}

export function respond(
  context: CallContext,
  result: Result,
  more: AnswerSubject & { running?: boolean } = {},
): AnyResponse {
  const status = more.running ? 'accepted' : 'completed'
  return {
    success: true,
    action: context.action,
    status,
    result: shortResult(result),
    error: null,
    ...callFields(context, more),
  }
}

export function refuse(
  context: CallContext,
  error: TermError,
  more: AnswerSubject & { result?: Result } = {},
): AnyResponse {
  return {
    success: false,
    action: context.action,
    status: 'failed',
    result: shortResult(more.result ?? {}),
    error: errorBody(error),
    fallback: fallbackFor(error.code, error.details),
    ...callFields(context, more),
  }
}

/** What belongs to the call rather than to its outcome; last, because models read from the top. */
function callFields(context: CallContext, about: AnswerSubject) {
  const alias_applied = context.alias !== null
  return {
    identity: { session_id: about.sessionId ?? null, terminal_id: about.terminalId ?? null },
    correlation: {
      // One that we made is the session_id, and said there.
      ...((context.requestIdIs === 'given' || about.sessionId !== context.requestId) && {
        request_id: context.requestId,
      }),
      trace_id: context.traceId,
      ...(context.clientRequestId !== null && { client_request_id: context.clientRequestId }),
    },
    resolved: { canonical_action: context.canonical, alias_applied, legacy_action: context.alias, mode: context.mode },
    ...((alias_applied || context.surface) && {
      compat: {
        alias_applied,
        ...(context.warning !== null && { warning: context.warning }),
        ...(context.surface && { caller_surface: context.surface }),
      },
    }),
  }
}
