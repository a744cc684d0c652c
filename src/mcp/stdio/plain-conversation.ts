import { Stopping } from '../../base/stopping.ts'
import type { Asker } from '../../contract/wire/asker.ts'
import { askerFrom } from '../../contract/wire/asker-words.ts'
import { CAPABILITIES, INSTRUCTIONS, serverInfo, TOOL_NAMES } from '../server/identity.ts'
import type { ClientInfo, McpFront } from '../server/mcp-server.ts'
import { type MessageId, type PlainMessage, readPlain } from './plain-messages.ts'
import { ShownAddresses } from './shown-addresses.ts'

export interface PlainOptions {
  readonly front: McpFront
  /** The tools as they are listed, as JSON: made once, by the build. */
  readonly toolList: string
  /** The id of the MCP session, made when it is first needed. */
  readonly session: () => string
  readonly write: (line: string) => void
}

const INTERNAL_ERROR = -32603

/**
 * The conversation of a 2025 client, as long as it is a plain one: answered as the MCP SDK would, byte for byte, without loading it.
 * The first line that is anything else belongs to the SDK, and so does all that follows; calls that have begun are finished here.
 */
export class PlainConversation {
  readonly #options: PlainOptions
  readonly #calls = new Map<MessageId, Stopping>()
  #client: ClientInfo | null = null
  #asker: Asker | null = null
  #over = false
  /** null: the client cannot show any. */
  #addresses: ShownAddresses | null = null

  constructor(options: PlainOptions) {
    this.#options = options
  }

  /** Calls that have begun here and are not answered yet. */
  get busy(): boolean {
    return this.#calls.size > 0
  }

  /** What was read of a line, or null: it is for the SDK, and nothing was done. */
  take(line: string): PlainMessage | null {
    const message = readPlain(line)
    if (message === null || !this.#isPlainHere(message)) return null
    switch (message.kind) {
      case 'initialize':
        this.#client = message.client
        if (message.showsAddresses) this.#addresses = new ShownAddresses(line => this.#write(line))
        this.#answer(message.id, this.#welcome(message.protocolVersion))
        break
      case 'ping':
        this.#answer(message.id, '{}')
        break
      case 'list':
        this.#options.front.onListed(this.#client)
        this.#answer(message.id, `{"tools":${this.#options.toolList}}`)
        break

      case 'call':
        void this.#call(message)
        break
      case 'cancelled':
        this.#calls.get(message.requestId)?.abort(message.reason)
        break
      case 'reply':
        this.#addresses?.answered(message.id)
        break
      case 'news':
        break
    }
    return message
  }

  /** A line that somebody else answers: it may still take back a call that began here. */
  overhear(line: string): void {
    const message = readPlain(line)
    if (message?.kind === 'cancelled') this.#calls.get(message.requestId)?.abort(message.reason)
    else if (message?.kind === 'reply') this.#addresses?.answered(message.id)
    // The id stands for another call from now on.
    else if (message?.kind === 'call') this.#calls.delete(message.id)
  }

  /** The client has gone: nobody reads answers any more. */
  end(): void {
    this.#over = true
    const gone = new Error('Connection closed')
    for (const cancel of this.#calls.values()) cancel.abort(gone)
    this.#calls.clear()
  }

  /** It begins with `initialize`, once; replies are to what was asked here; and tools that do not exist have an answer of the SDK's. */
  #isPlainHere(message: PlainMessage): boolean {
    if (message.kind === 'initialize') return this.#client === null
    if (message.kind === 'reply') return this.#addresses?.has(message.id) === true
    return this.#client !== null && (message.kind !== 'call' || TOOL_NAMES.includes(message.name))
  }

  #welcome(protocolVersion: string): string {
    const { front } = this.#options
    return JSON.stringify({
      protocolVersion,
      capabilities: CAPABILITIES,
      serverInfo: serverInfo(front.version),
      instructions: INSTRUCTIONS,
    })
  }

  async #call({ id, name, arguments: given, progressToken }: Extract<PlainMessage, { kind: 'call' }>): Promise<void> {
    const { front, session } = this.#options
    const cancel = new Stopping()
    this.#calls.set(id, cancel)
    front.onListed(this.#client)
    this.#asker ??= askerFrom(session(), this.#client)

    let answer: () => void
    try {
      const { structured, text, isError } = await front.call({
        name,
        arguments: given,
        signal: cancel.signal,
        asker: this.#asker,
        ...(this.#addresses && { point: this.#addresses.show }),
        ...(progressToken !== undefined && {
          progress: (elapsedMs: number, message: string) => this.#progress(progressToken, elapsedMs, message),
        }),
      })
      const result = { content: [{ type: 'text', text }], structuredContent: structured, isError }
      answer = () => this.#answer(id, JSON.stringify(result))
    } catch (cause) {
      answer = () => this.#fail(id, cause)
    }

    if (this.#calls.get(id) === cancel) this.#calls.delete(id)
    // Who has taken a call back is not answered.
    if (!cancel.signal.aborted) answer()
  }

  #progress(progressToken: MessageId, elapsedMs: number, message: string): void {
    const params = { progressToken, progress: Math.round(elapsedMs) / 1000, message }
    this.#write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }))
  }

  #answer(id: MessageId, result: string): void {
    this.#write(`{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`)
  }

  #fail(id: MessageId, cause: unknown): void {
    const { code, message, data } = cause as { code?: unknown; message?: string; data?: unknown }
    const error = {
      code: Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
      message: message ?? 'Internal error',
      ...(data !== undefined && { data }),
    }
    this.#write(JSON.stringify({ jsonrpc: '2.0', id, error }))
  }

  #write(message: string): void {
    if (!this.#over) this.#options.write(`${message}\n`)
  }
}
