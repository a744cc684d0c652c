import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler, toWebRequest } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  InMemoryServerEventBus,
  isInitializeRequest,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Settings } from '../../config/env.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { askerFrom } from '../../contract/wire/asker-words.ts'
import { HttpCrowd } from './http-crowd.ts'
import { httpGuard } from './http-guard.ts'
import { HttpSessions } from './http-sessions.ts'
import { LARGEST_MESSAGE_BYTES } from './identity.ts'
import { type McpFront, mcpServer } from './mcp-server.ts'
import { ResourceWatches } from './resource-watches.ts'

/**
 * MCP over Streamable HTTP on one path for both protocol generations: 2025-era clients get a session, so that their
 * cancellation reaches the call; 2026-07-28 clients are served request by request.
 */
export interface HttpListener {
  readonly port: number
  close(): Promise<void>
}

export interface HttpOptions {
  readonly address: string
  readonly port: number
  /** Names beside 127.0.0.1 and localhost under which it is published. */
  readonly hosts: readonly string[]
  readonly token: string
  readonly version: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Whoever has no token keeps nobody out who has one. */
const CROWD = { unknown: 256, known: 512, showWithinMs: 10_000 }
const KEEP_ALIVE_MS = 15_000
const IDLE_CONNECTION_MS = 120_000
const MOST_LET_BY_BYTES = 8 * LARGEST_MESSAGE_BYTES

export async function listenOnHttp(front: McpFront, options: HttpOptions): Promise<HttpListener> {
  const sessions = new HttpSessions({ front, clock: options.clock, ids: options.ids })
  const bus = new InMemoryServerEventBus()
  const perRequest = toNodeHandler(
    createMcpHandler(() => mcpServer(front, null, 'of_the_client'), {
      legacy: 'reject',
      keepAliveMs: KEEP_ALIVE_MS,
      bus,
    }),
  )
  const watches = new ResourceWatches(front.resources, {
    updated: uri => bus.publish({ kind: 'resource_updated', uri }),
    listChanged: () => bus.publish({ kind: 'resources_list_changed' }),
  })
  const server = createServer()
  const crowd = new HttpCrowd(options.clock, CROWD)
  server.on('connection', socket => crowd.enter(socket))
  // Node closes an idle connection after 5 s, just when an agent that was thinking calls again.
  server.keepAliveTimeout = IDLE_CONNECTION_MS
  const port = await bind(server, options.address, options.port)
  const guard = httpGuard({ token: options.token, port, hosts: options.hosts })

  server.on('request', (request, response) => {
    answer(request, response).catch(cause => {
      options.log.warn('an HTTP request failed', { cause })
      if (!response.headersSent) complain(response, 400, -32700, 'The request could not be read.')
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const health = request.url === '/health'
    const refusal = health ? guard.place(request) : guard.whole(request)
    if (refusal) {
      if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer')
      return complain(response, refusal.status, -32001, refusal.message)
    }
    if (health) return answerHealth(request, response)
    if (!crowd.know(request.socket)) return complain(response, 503, -32000, 'Too many connections.')
    if (request.url !== '/mcp') return complain(response, 404, -32601, 'MCP is served at /mcp.')
    if (request.method !== 'POST') return sessionful(request, response, undefined)
    const body = await readBody(request)
    if (body === null) return complain(response, 413, -32600, `A message may have ${LARGEST_MESSAGE_BYTES} bytes.`)
    const message: unknown = JSON.parse(body)
    const post = request as IncomingMessage & { method: string; url: string }
    if (await isLegacyRequest(await toWebRequest(post, message))) return sessionful(request, response, message)
    hearOut(message, response)
    await perRequest(post, response, message)
  }

  /** A request that stays open, and what its client wants to hear of until then. */
  function hearOut(message: unknown, response: ServerResponse): void {
    const { method, params } = message as { method?: unknown; params?: unknown }
    if (method !== 'subscriptions/listen') return
    watches.listen(response, params, askerFrom(null, null))
    response.once('close', () => watches.unlisten(response))
  }

  /** For whoever watches the container. It says that it lives and nothing else, so it needs no token; under another name it says nothing. */
  function answerHealth({ method }: IncomingMessage, response: ServerResponse): void {
    const asked = method === 'GET' || method === 'HEAD'
    response.writeHead(asked ? 200 : 405, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(method === 'GET' ? JSON.stringify({ status: 'ok', version: options.version }) : undefined)
  }

  async function sessionful(request: IncomingMessage, response: ServerResponse, message: unknown): Promise<void> {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.find(id) : null
    if (known) return known.answer(request, response, message)
    if (id !== undefined) return complain(response, 404, -32001, 'This session is over. Start a new one.')
    if (!isInitializeRequest(message)) return complain(response, 400, -32000, 'Start with initialize.')
    const session = await sessions.open()
    if (!session) return complain(response, 503, -32000, 'Too many sessions.')
    await session.answer(request, response, message)
  }

  return {
    port,
    async close() {
      watches.dispose()
      await sessions.close()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

function bind(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', cause =>
      reject(
        new TermError(
          'PM_TERM_INTERNAL',
          `Port ${port} on ${address} cannot be used (${(cause as NodeJS.ErrnoException).code}). Choose another: --http-port.`,
          {
            details: { port },
            cause,
          },
        ),
      ),
    )
    server.listen(port, address, () => resolve((server.address() as AddressInfo).port))
  })
}

/** The whole body, or null when it is too large. A client reads the answer only once it has sent everything, so that is let by. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_LET_BY_BYTES) throw new Error('a message without end')
    if (size > LARGEST_MESSAGE_BYTES) chunks.length = 0
    else chunks.push(chunk)
  }
  return size > LARGEST_MESSAGE_BYTES ? null : Buffer.concat(chunks).toString('utf8')
}

function complain(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))
}

/** In a container a published port arrives at every address; on a person's own machine nothing but loopback is theirs alone. */
export function httpAddress(settings: Settings): string {
  const address = settings.PM_TERM_HTTP_ADDRESS
  if (settings.PM_RUNNING_IN_CONTAINER || /^127\.\d+\.\d+\.\d+$/.test(address)) return address
  throw new TermError(
    'PM_TERM_INVALID_MODE',
    `PM_TERM_HTTP_ADDRESS=${address}: MCP over HTTP listens beyond this machine only in a container. Use 127.0.0.1.`,
  )
}
