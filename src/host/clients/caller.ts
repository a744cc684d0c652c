import type * as z from 'zod'
import type { FromHost, ToHost } from '../../contract/wire/host-frames.ts'

/** Who sent a request, and the way back to the connection it came on. */
export interface Caller {
  readonly requester: string
  /** How the client calls itself: of a server with many, the one that sent this request. Grants nothing. */
  readonly client: string
  readonly session: string
  /** The MCP session behind it that asks; null: not known. */
  readonly asker: string | null
  /** Ends with the connection: whoever waits for it stops waiting. */
  readonly signal: AbortSignal
  reply(frame: FromHost, when?: 'now' | 'soon'): void
}

export type ClientRequest = Exclude<
  z.output<typeof ToHost>,
  { type: 'hello' | 'heartbeat' | 'goodbye' | 'asker_gone' | 'asker_gone_on' }
>

/** An answer names the request that it is for. */
export const addressOf = (frame: ClientRequest): { id: string; request_id: string; trace_id: string } => ({
  id: frame.request_id,
  request_id: frame.request_id,
  trace_id: frame.trace_id,
})
