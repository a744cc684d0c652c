import type { Server, ServerContext } from '@modelcontextprotocol/server'

/** Where a person can answer, to be shown to them by their client. It holds no ticket and no code. */
export interface WindowPointer {
  /** The question it is about. */
  readonly id: string
  readonly url: string
  readonly message: string
}

/** call_ended: nobody waits here any more, though the question is still open. */
export type PointerEnd = 'question_ended' | 'call_ended'

/** What a client can do that shows its person an address. It asks nothing: no reply to it reaches whoever calls this. */
export type PointToWindow = (pointer: WindowPointer) => { end(why: PointerEnd): void }

/** As MCP has it: an elicitation in URL mode. */
export const elicitation = ({ id, url, message }: WindowPointer) => ({
  method: 'elicitation/create' as const,
  params: { mode: 'url' as const, message, url, elicitationId: id },
})

/** The client may take away what it shows. */
export const elicitationComplete = ({ id }: WindowPointer) => ({
  method: 'notifications/elicitation/complete' as const,
  params: { elicitationId: id },
})

export const TAKEN_BACK = 'nobody waits for this any more'
/** It is ended with the call. */
const NO_TIMEOUT_MS = 2 ** 31 - 1

/** Through the SDK, for a client that can be asked while it waits; later ones (2026-07-28) only hear answers. */
export function pointerFor(server: Server, { mcpReq }: ServerContext): PointToWindow | undefined {
  if (mcpReq.envelope !== undefined || !server.getClientCapabilities()?.elicitation?.url) return undefined
  return pointer => {
    const over = new AbortController()
    mcpReq
      .send(elicitation(pointer), { timeout: NO_TIMEOUT_MS, signal: over.signal })
      // Accepted, declined, cancelled, refused, silent: the question is answered in the window or not at all.
      .catch(() => {})
    return {
      end(why) {
        over.abort(TAKEN_BACK)
        // Whoever is gone by now misses nothing.
        if (why === 'question_ended') mcpReq.notify(elicitationComplete(pointer)).catch(() => {})
      },
    }
  }
}
