import { Readable, type Writable } from 'node:stream'

/** Answers that the client has not read yet may take so much; then its next requests wait. */
const MOST_UNREAD = 4 * 1024 * 1024
/** Requests that wait may take so much; then nothing more is read from the client, and it notices. */
const MOST_WAITING = 1024 * 1024
/** Handed on at once, before what they have led to is looked at. */
const MESSAGES_AT_ONCE = 16
const NEWLINE = 0x0a

/**
 * What a client says, handed on only as fast as it reads what it is answered. Nothing is lost: whoever reads again gets every
 * answer. Its end is still noticed, unless it has said more than may wait.
 */
export class PacedInput extends Readable {
  readonly #input: Readable
  readonly #output: Writable
  readonly #waiting: Buffer[] = []
  #size = 0
  #ended = false
  #pumping = false

  constructor(input: Readable, output: Writable) {
    super({ highWaterMark: MOST_WAITING })
    this.#input = input
    this.#output = output
    input.on('data', (chunk: Buffer) => this.#take(chunk))
    input.once('end', () => this.#over())
    input.once('close', () => this.#over())
    input.once('error', cause => this.destroy(cause))
  }

  override _read(): void {
    // It comes by itself.
  }

  #take(chunk: Buffer): void {
    this.#waiting.push(chunk)
    this.#size += chunk.length
    if (this.#size > MOST_WAITING) this.#input.pause()
    void this.#pump()
  }

  #over(): void {
    this.#ended = true
    void this.#pump()
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return
    this.#pumping = true
    while (this.#size > 0 && !this.destroyed) {
      for (let i = 0; i < MESSAGES_AT_ONCE && this.#size > 0; i++) this.push(this.#next())
      if (this.#size <= MOST_WAITING && this.#input.isPaused()) this.#input.resume()
      await new Promise(resolve => setImmediate(resolve))
      if (this.#output.writableLength > MOST_UNREAD) await this.#isRead()
    }
    this.#pumping = false
    if (this.#ended && !this.destroyed) this.push(null)
  }

  /** One message, or what there is of it. */
  #next(): Buffer {
    const chunk = this.#waiting.shift() ?? Buffer.alloc(0)
    const end = chunk.indexOf(NEWLINE) + 1
    const message = end === 0 ? chunk : chunk.subarray(0, end)
    if (message.length < chunk.length) this.#waiting.unshift(chunk.subarray(message.length))
    this.#size -= message.length
    return message
  }

  #isRead(): Promise<void> {
    return new Promise(resolve => {
      const events = ['drain', 'close', 'error'] as const
      const go = () => {
        for (const event of events) this.#output.off(event, go)
        resolve()
      }
      for (const event of events) this.#output.on(event, go)
      if (this.#output.destroyed) go()
    })
  }
}
