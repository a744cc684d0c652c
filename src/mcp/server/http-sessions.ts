import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { type McpFront, mcpServer, type ToolAnswer, type ToolCall } from './mcp-server.ts'

/** How long a call outlives the last connection of the client that made it (docs/spec.md D21). */
export const LOST_AFTER_MS = 15_000
const MOST_SESSIONS = 256
const IDLE_SESSION_MS = 3_600_000
const LOOK_EVERY_MS = 60_000

export interface HttpSessionDeps {
  readonly front: McpFront
  readonly clock: Clock
  readonly ids: Ids
}

/** Sessions of the 2025 generation over HTTP, each under the id its client sends. */
export class HttpSessions {
  readonly #deps: HttpSessionDeps
  readonly #all = new Map<string, HttpSession>()
  #looking: Disposable = { dispose() {} }

  constructor(deps: HttpSessionDeps) {
    this.#deps = deps
    this.#look()
  }

  find(id: string): HttpSession | null {
    return this.#all.get(id) ?? null
  }

  /** A new one, known once its client has been answered; null: there are too many. */
  async open(): Promise<HttpSession | null> {
    this.#dropIdle()
    if (this.#all.size >= MOST_SESSIONS) return null
    const session: HttpSession = new HttpSession(this.#deps, id => void this.#all.set(id, session))
    session.transport.onclose = () => {
      this.#all.delete(session.transport.sessionId ?? '')
      session.gone()
    }
    await session.connect()
    return session
  }

  async close(): Promise<void> {
    this.#looking.dispose()
    await Promise.all([...this.#all.values()].map(({ transport }) => transport.close()))
  }

  #look(): void {
    this.#looking = this.#deps.clock.after(LOOK_EVERY_MS, () => {
      this.#dropIdle()
      this.#look()
    })
  }

  #dropIdle(): void {
    for (const session of this.#all.values()) if (session.idleMs > IDLE_SESSION_MS) void session.transport.close()
  }
}

/**
 * One client. A lost connection is not a cancellation: the client may come back. But when a call has lost its connection and
 * nothing is received from the client for a while, nobody waits for the answer any more: its questions are withdrawn, and what it
 * started without a person ends (docs/spec.md D21). The session itself stays: should the client live after all, it goes on with it.
 */
export class HttpSession {
  readonly transport: NodeStreamableHTTPServerTransport
  readonly #deps: HttpSessionDeps
  readonly #asker: string
  readonly #calls = new Set<AbortController>()
  #exchanges = 0
  #usedAt: number
  #silence: Disposable = { dispose() {} }

  constructor(deps: HttpSessionDeps, known: (id: string) => void) {
    this.#deps = deps
    this.#asker = deps.ids.make('ses')
    this.#usedAt = deps.clock.elapsed()
    this.transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: known,
    })
  }

  /** How long nothing was received from its client. */
  get idleMs(): number {
    return this.#exchanges > 0 ? 0 : this.#deps.clock.elapsed() - this.#usedAt
  }

  async connect(): Promise<void> {
    const front = { ...this.#deps.front, call: (call: ToolCall) => this.#call(call) }
    await mcpServer(front, this.#asker, 'of_the_client').connect(this.transport)
  }

  async answer(request: IncomingMessage, response: ServerResponse, message: unknown): Promise<void> {
    this.#exchanges += 1
    this.#silence.dispose()
    response.once('close', () => this.#ended())
    await this.transport.handleRequest(request, response, message)
  }

  /** Its client is gone, or as good as gone. */
  gone(): void {
    this.#silence.dispose()
    this.#deps.front.onGone(this.#asker)
    for (const call of this.#calls) call.abort(new Error('the client is gone'))
  }

  #ended(): void {
    this.#exchanges -= 1
    this.#usedAt = this.#deps.clock.elapsed()
    // A call that still runs without any connection has lost its own.
    if (this.#exchanges === 0 && this.#calls.size > 0)
      this.#silence = this.#deps.clock.after(LOST_AFTER_MS, () => this.gone())
  }

  async #call(call: ToolCall): Promise<ToolAnswer> {
    const over = new AbortController()
    this.#calls.add(over)
    try {
      return await this.#deps.front.call({ ...call, signal: AbortSignal.any([call.signal, over.signal]) })
    } finally {
      this.#calls.delete(over)
    }
  }
}
