const NEWLINE = 0x0a

/** Whole lines out of chunks of bytes, however those were cut. A line that is longer than `longest` is not collected. */
export class Lines {
  readonly #longest: number
  #parts: Buffer[] = []
  #size = 0
  #skipping = false

  constructor(longest: number) {
    this.#longest = longest
  }

  /** The lines that this chunk completes, each with its newline. */
  *add(chunk: Buffer): Generator<Buffer> {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE) + 1; end > 0; end = chunk.indexOf(NEWLINE, from) + 1) {
      this.#keep(chunk.subarray(from, end))
      from = end
      const skipped = this.#skipping
      this.#skipping = false
      if (!skipped) yield this.#take()
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from))
  }

  /** What has come of the next line is more than is kept. */
  get tooLong(): boolean {
    return this.#size > this.#longest
  }

  /** What has come of the next line. */
  peek(): Buffer {
    const [only = Buffer.alloc(0)] = this.#parts
    return this.#parts.length > 1 ? Buffer.concat(this.#parts) : only
  }

  /** The line that has begun is not wanted. */
  skip(): void {
    this.#take()
    this.#skipping = true
  }

  #take(): Buffer {
    const bytes = this.peek()
    this.#parts = []
    this.#size = 0
    return bytes
  }

  #keep(part: Buffer): void {
    if (this.#skipping) return
    this.#parts.push(part)
    this.#size += part.length
  }
}
