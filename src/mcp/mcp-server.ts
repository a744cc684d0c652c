import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { ToolEntry } from './tool-list.ts'

/** One call of a tool, without anything of the protocol in it. */
export interface ToolCall {
  readonly name: string
  readonly arguments: unknown
  readonly signal: AbortSignal
  /** Present when the caller sent a progress token. */
  readonly progress?: (elapsedMs: number, message: string) => void
}

export interface ToolAnswer {
  readonly structured: Record<string, unknown>
  readonly text: string
  readonly isError: boolean
}

/** What a client says it is. */
export interface ClientName {
  readonly name: string
  readonly version: string
}

export interface McpFront {
  readonly version: string
  readonly tools: readonly ToolEntry[]
  readonly call: (call: ToolCall) => Promise<ToolAnswer>
  /** The client knows the tools and will soon call one. */
  readonly onListed: (client: ClientName | null) => void
}

/** Large enough that a payload far beyond every limit still gets our answer instead of a closed connection. */
export const LARGEST_MESSAGE_BYTES = 32 * 1024 * 1024

const INSTRUCTIONS =
  'memory_terminal runs allowlisted commands at once. memory_terminal_interactive runs anything else once a person agrees. Output is never cut silently: cursor, omitted_bytes and lost_bytes tell what is missing.'

/** A fresh protocol server around the same tools; both protocol generations use it. */
export function mcpServer(front: McpFront): Server {
  const server = new Server(
    { name: 'interactive-terminal', title: 'Interactive Terminal', version: front.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', async () => {
    front.onListed(clientOf(server))
    return { tools: front.tools as never }
  })
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    if (!front.tools.some(tool => tool.name === params.name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 80)}`)
    // Not every client lists the tools before it calls one.
    front.onListed(clientOf(server))
    const progressToken = ctx.mcpReq._meta?.progressToken
    const { structured, text, isError } = await front.call({
      name: params.name,
      arguments: params.arguments ?? {},
      signal: ctx.mcpReq.signal,
      ...(progressToken !== undefined && {
        progress: (elapsedMs: number, message: string) => {
          const progress = Math.round(elapsedMs) / 1000
          ctx.mcpReq
            .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
            // The client may be gone by now; the call itself notices.
            .catch(() => {})
        },
      }),
    })
    return { content: [{ type: 'text', text }], structuredContent: structured, isError }
  })
  return server
}

const clientOf = (server: Server): ClientName | null => {
  const client = server.getClientVersion()
  return client ? { name: client.name, version: client.version } : null
}
