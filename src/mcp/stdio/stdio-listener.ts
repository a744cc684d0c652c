import type { Readable, Writable } from 'node:stream'
import type { Log } from '../../base/log.ts'
import { oneWritePerMoment } from '../../base/one-write-per-moment.ts'
import type { McpFront } from '../server/mcp-server.ts'
import { Lines } from './lines.ts'
import { PacedInput } from './paced-input.ts'
import { PlainConversation } from './plain-conversation.ts'

export interface StdioOptions {
  readonly front: McpFront
  readonly toolList: string
  readonly session: () => string
  readonly log: Log
  readonly input: Readable
  readonly output: Writable
  /** The part that holds the SDK could not be loaded. */
  readonly onBroken: (cause: unknown) => void
}

/** Longer ones are rare enough for the SDK, which also knows when one is too long for it. */
const LONGEST_PLAIN_BYTES = 1024 * 1024

/**
 * MCP over stdin and stdout, both protocol generations: one client, one session. The client ends it by closing stdin. It begins
 * without the SDK, and goes on with it from the first line that is not a plain one (docs/adr/0059).
 */
export function listenOnStdio(options: StdioOptions): void {
  const { input, output } = options
  const paced = new PacedInput(input, output)
  const conversation = new StdioConversation(options)
  paced.on('data', (chunk: Buffer) => conversation.take(chunk))
  paced.on('error', cause => options.log.debug('stdio', { cause }))
  paced.once('end', () => conversation.end())
  paced.once('close', () => conversation.end())
}

class StdioConversation {
  readonly #options: StdioOptions
  readonly #plain: PlainConversation
  readonly #lines = new Lines(LONGEST_PLAIN_BYTES)
  /** The line with `initialize`. */
  #began: Buffer | null = null
  /** Where the rest goes once the SDK has taken over; until that is loaded, here. */
  #rest: { push(bytes: Buffer | null): unknown } | null = null

  constructor(options: StdioOptions) {
    this.#options = options
    const { front, toolList, session, output } = options
    this.#plain = new PlainConversation({ front, toolList, session, write: oneWritePerMoment(output) })
  }

  take(chunk: Buffer): void {
    if (this.#rest !== null) {
      this.#rest.push(chunk)
      if (this.#plain.busy) for (const line of this.#lines.add(chunk)) this.#plain.overhear(line.toString())
    } else {
      for (const line of this.#lines.add(chunk)) this.#takeLine(line)
      // What has come of the next line goes after the one that was handed over.
      if (this.#rest !== null || this.#lines.tooLong) this.#handOver(this.#lines.peek())
    }
    if (this.#lines.tooLong) this.#lines.skip()
  }

  end(): void {
    this.#plain.end()
    this.#rest?.push(null)
  }

  #takeLine(line: Buffer): void {
    if (this.#rest === null) {
      const message = this.#plain.take(line.toString())
      if (message?.kind === 'initialize') this.#began = line
      if (message !== null) return
    } else this.#plain.overhear(line.toString())
    this.#handOver(line)
  }

  #handOver(bytes: Buffer): void {
    this.#rest ??= this.#loadSdk()
    this.#rest.push(bytes)
  }

  #loadSdk(): { push(bytes: Buffer | null): unknown } {
    const { front, session, log, output, onBroken } = this.#options
    const began = this.#began
    import('./sdk-conversation.ts')
      .then(({ converseWithSdk }) => converseWithSdk({ front, session: session(), log, output, began }))
      .then(sdk => {
        this.#rest = sdk
        for (const bytes of waiting) sdk.push(bytes)
      })
      .catch(onBroken)
    const waiting: (Buffer | null)[] = []
    return waiting
  }
}
