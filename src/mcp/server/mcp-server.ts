import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Asker } from '../../contract/wire/asker.ts'
import { askerFrom } from '../../contract/wire/asker-words.ts'
import { type CallerDirectory, callerDirectory } from './client-root.ts'
import { CAPABILITIES, INSTRUCTIONS, serverInfo } from './identity.ts'
import type { ResourceFront } from './resource-front.ts'
import { ResourceWatches } from './resource-watches.ts'
import { serveResources } from './serve-resources.ts'
import type { ToolEntry } from './tool-list.ts'
import { type PointToWindow, pointerFor } from './window-pointer.ts'

/** One call of a tool, without anything of the protocol in it. */
export interface ToolCall {
  readonly name: string
  readonly arguments: unknown
  readonly signal: AbortSignal
  /** Who calls, by its own word; without it nothing is known. */
  readonly asker?: Asker
  /** Where the caller's project is, when that is not where this server was started. */
  readonly directory?: CallerDirectory
  /** Present when the caller sent a progress token. */
  readonly progress?: (elapsedMs: number, message: string) => void
  /** Present when the client can show its person an address while it waits. */
  readonly point?: PointToWindow
  /** The client gives up later than that, counted from the start of the call. */
  readonly answerWithinMs?: number
}

export interface ToolAnswer {
  readonly structured: Record<string, unknown>
  readonly text: string
  readonly isError: boolean
}

/** What a client says it is. */
export interface ClientInfo {
  readonly name: string
  readonly version: string
  readonly title?: string | undefined
}

export interface McpFront {
  readonly version: string
  readonly tools: readonly ToolEntry[]
  readonly call: (call: ToolCall) => Promise<ToolAnswer>
  readonly resources: ResourceFront
  /** The client knows the tools and will soon call one. */
  readonly onListed: (client: ClientInfo | null) => void
  /** The client of this MCP session is gone; what it asked and nobody answered is to be withdrawn. */
  readonly onGone: (session: string) => void
}

/**
 * A fresh protocol server around the same tools; both protocol generations use it. `session`: the id of the MCP session it
 * serves; null where each call is on its own. `directory`: whether its one client started it in its project, or each of
 * many clients has to say where its own is. `watches`: what its client wants to hear of, where others look after that.
 */
export function mcpServer(
  front: McpFront,
  session: string | null,
  directory: 'of_the_server' | 'of_the_client',
  watches?: ResourceWatches,
): Server {
  const server = new Server(serverInfo(front.version), { capabilities: CAPABILITIES, instructions: INSTRUCTIONS })

  server.setRequestHandler('tools/list', async (_, ctx) => {
    front.onListed(clientOf(server, ctx))
    return { tools: front.tools as never }
  })

  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    if (!front.tools.some(tool => tool.name === params.name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 80)}`)

    // Not every client lists the tools before it calls one.
    const client = clientOf(server, ctx)
    front.onListed(client)
    const where = directory === 'of_the_client' ? await callerDirectory(server, ctx, params.arguments) : undefined
    if (where !== undefined && 'ask' in where) return where.ask

    const progressToken = ctx.mcpReq._meta?.progressToken
    const point = pointerFor(server, ctx)
    const { structured, text, isError } = await front.call({
      name: params.name,
      arguments: params.arguments ?? {},
      signal: ctx.mcpReq.signal,
      asker: askerFrom(session, client),
      ...(where && { directory: where }),
      ...(point && { point }),
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

  const own = session === null || watches ? null : watchesOf(server, front)
  serveResources(server, front.resources, {
    askerOf: ctx => askerFrom(session, clientOf(server, ctx)),
    watches: watches ?? own,
  })
  if (own) server.onclose = () => own.dispose()
  return server
}

/** Whoever is gone by now misses nothing. */
export const newsTo = (server: () => Server | null) => ({
  updated: (uri: string) =>
    void server()
      ?.sendResourceUpdated({ uri })
      .catch(() => {}),
  listChanged: () =>
    void server()
      ?.sendResourceListChanged()
      .catch(() => {}),
})

const watchesOf = (server: Server, front: McpFront): ResourceWatches =>
  new ResourceWatches(
    front.resources,
    newsTo(() => server),
  )

/** 2026-07-28 clients name themselves in each call, earlier ones once in `initialize`. */
function clientOf(server: Server, ctx: ServerContext): ClientInfo | null {
  const envelope: { readonly [CLIENT_INFO_META_KEY]?: ClientInfo } = ctx.mcpReq.envelope ?? {}
  const client = envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion()
  return client ? { name: client.name, version: client.version, title: client.title } : null
}
