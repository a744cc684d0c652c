import type { PtyChunk } from '../base/process/pty.ts'

/** Joins what comes at once: a terminal gives 4 kB at a time, and a frame for each would cost more than the bytes. */
export class OutputBatch {
  readonly #send: (chunk: PtyChunk) => void
  #waiting: PtyChunk[] = []
  #bytes = 0

  constructor(send: (chunk: PtyChunk) => void) {
    this.#send = send
  }

  push(chunk: PtyChunk): void {
    if (this.#waiting.length === 0) setImmediate(() => this.flush())
    this.#waiting.push(chunk)
    this.#bytes += chunk.bytes.length
    if (this.#bytes >= MOST_BYTES) this.flush()
  }

  flush(): void {
    const [first] = this.#waiting
    if (!first) return
    const bytes = Buffer.concat(this.#waiting.map(chunk => chunk.bytes))
    this.#waiting = []
    this.#bytes = 0
    this.#send({ at: first.at, bytes })
  }
}

const MOST_BYTES = 64 * 1024
