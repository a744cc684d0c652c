const KEPT_BYTES = 1024

/** The end of what a program has printed, in which its question is. */
export class PrintedLast {
  #bytes: Buffer = Buffer.alloc(0)

  add(chunk: Buffer): void {
    this.#bytes =
      chunk.length >= KEPT_BYTES
        ? Buffer.from(chunk.subarray(-KEPT_BYTES))
        : Buffer.concat([this.#bytes.subarray(Math.max(0, this.#bytes.length + chunk.length - KEPT_BYTES)), chunk])
  }

  get text(): string {
    return this.#bytes.toString('utf8')
  }
}
