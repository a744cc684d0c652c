import type { Alias, CanonicalAction } from '../../contract/tool/aliases.ts'
import { errorBody, fallbackFor, type TermError } from '../../contract/tool/errors.ts'
import type { CallerSurface, Mode } from '../../contract/tool/request.ts'
import type { AnyResponse, Result } from '../../contract/tool/response.ts'
import type { Asker } from '../../contract/wire/asker.ts'
import { shortResult } from './short-answer.ts'

export type ToolName = 'memory_terminal' | 'memory_terminal_interactive'

/** What every answer to one call has in common. */
export interface Frame {
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
interface About {
  readonly sessionId?: string
  readonly terminalId?: string | null
}

export function respond(frame: Frame, result: Result, more: About & { running?: boolean } = {}): AnyResponse {
  const status = more.running ? 'accepted' : 'completed'
  return {
    success: true,
    action: frame.action,
    status,
    result: shortResult(result),
    error: null,
    ...context(frame, more),
  }
}

export function refuse(frame: Frame, error: TermError, more: About & { result?: Result } = {}): AnyResponse {
  return {
    success: false,
    action: frame.action,
    status: 'failed',
    result: shortResult(more.result ?? {}),
    error: errorBody(error),
    fallback: fallbackFor(error.code, error.details),
    ...context(frame, more),
  }
}

/** What belongs to the call rather than to its outcome; last, because models read from the top. */
function context(frame: Frame, about: About) {
  const alias_applied = frame.alias !== null
  return {
    identity: { session_id: about.sessionId ?? null, terminal_id: about.terminalId ?? null },
    correlation: {
      request_id: frame.requestId,
      trace_id: frame.traceId,
      ...(frame.clientRequestId !== null && { client_request_id: frame.clientRequestId }),
    },
    resolved: { canonical_action: frame.canonical, alias_applied, legacy_action: frame.alias, mode: frame.mode },
    ...((alias_applied || frame.surface) && {
      compat: {
        alias_applied,
        ...(frame.warning !== null && { warning: frame.warning }),
        ...(frame.surface && { caller_surface: frame.surface }),
      },
    }),
  }
}
