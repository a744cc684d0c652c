import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import type { FinalReply, HostAdapter, Listening } from './host-adapter.ts'
import { type HostRequest, LinkLost } from './host-connection.ts'
import { HostPatience } from './host-patience.ts'

export interface TalkDeps {
  readonly adapter: HostAdapter
  readonly host: 'on_this_machine' | 'elsewhere'
  readonly clock: Clock
  readonly ids: Ids
}

const never = new AbortController().signal
const ONLY_IF_IT_RUNS = { choice: 'local_or_bundled_auto', binaryPath: null, launch: 'never' } as const
const MOST_RECOVERIES = 3

/** One question to the host and its answer, across connections that break in between. */
export class HostTalk {
  readonly #deps: TalkDeps

  constructor(deps: TalkDeps) {
    this.#deps = deps
  }

  /** Sends it, and sends it again to the same host when the connection was lost: the same id never runs twice. */
  async converse(request: HostRequest, listening: Listening, signal: AbortSignal): Promise<FinalReply | 'given_up'> {
    const { adapter } = this.#deps
    for (let recoveries = 0; ; recoveries += 1) {
      const before = adapter.healthCheck().instanceId ?? ''
      try {
        return await adapter.awaitResponse(await adapter.sendRequest(request, listening), signal)
      } catch (cause) {
        const unacknowledged = cause instanceof TermError && cause.code === 'PM_TERM_TIMEOUT'
        if (!(cause instanceof LinkLost) && !unacknowledged) throw cause
        if (unacknowledged && recoveries > 0) throw cause
        if (recoveries === MOST_RECOVERIES) throw disconnected(request, cause)
        const host = await adapter.recover(unacknowledged ? 'timeout' : 'disconnect', before, signal).catch(() => null)
        if (host === null) throw disconnected(request, cause)
        if (host === 'another' && request.type === 'command_request') return await this.#whatBecameOf(request, cause)
      }
    }
  }

  /** For what only looks or ends: a host is not started for it. null when none runs here; one elsewhere may well run. */
  async askRunning(
    request: HostRequest,
    call: Pick<ToolCall, 'signal' | 'progress'> = { signal: never },
  ): Promise<FinalReply | null> {
    const { adapter, clock, host } = this.#deps
    try {
      await adapter.connect(ONLY_IF_IT_RUNS, call.signal)
    } catch (cause) {
      if (host === 'on_this_machine' && cause instanceof TermError && cause.code === 'PM_TERM_GUI_UNAVAILABLE')
        return null
      throw cause
    }
    // The host itself ends such a wait; only the caller can end it sooner.
    const unlimited = { runningMs: Number.POSITIVE_INFINITY, answerWithinMs: Number.POSITIVE_INFINITY }
    const patience = new HostPatience(call, clock, unlimited)
    try {
      const reply = await this.converse(request, { onProgress: progress => patience.received(progress) }, patience.over)
      if (reply === 'given_up') throw disconnected(request, 'the call was given up before the host answered')
      return reply
    } finally {
      patience.dispose()
    }
  }

  /** Another host answers now. It is asked what it knows; it is never asked to run it. */
  async #whatBecameOf({ request_id, trace_id, ...request }: HostRequest, cause: unknown): Promise<FinalReply> {
    const reply = await this.askRunning({
      type: 'read_output',
      request_id: this.#deps.ids.make('req'),
      trace_id,
      session_id: request_id,
    })
    if (reply === null || isNotFound(reply))
      throw disconnected({ ...request, request_id, trace_id } as HostRequest, cause)
    return reply
  }
}

export const isNotFound = (reply: FinalReply): boolean =>
  reply.type === 'error' && reply.error.code === 'PM_TERM_NOT_FOUND'

/** What became of it is not known here, and a second start is the one thing that must not happen by itself. */
export function disconnected(request: HostRequest, cause: unknown): TermError {
  const session_id = request.type === 'command_request' ? request.request_id : undefined
  const why = cause instanceof Error ? cause.message : String(cause)
  return new TermError(
    'PM_TERM_DISCONNECTED',
    'The connection to the host was lost and did not come back in time. Whether the command ran is not known here; read_output with its session_id shows it once the host is back.',
    { details: { ...(session_id !== undefined && { session_id }), why }, cause },
  )
}
