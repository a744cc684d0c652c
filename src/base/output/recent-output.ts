import type { OutputRange, Piece, Stream } from './output-segments.ts'

/** What one read takes, and before it as much as the longest secret is long: whoever takes secrets out looks at both. */
const KEPT_BYTES = 24 * 1024
const LARGEST_PIECE = 4 * 1024
const BLOCK_BYTES = 4 * 1024

/** What one stream said without the other between, as far as there was room. */
interface Block {
  readonly stream: Stream
  readonly start: number
  readonly bytes: Buffer
  length: number
}

/** The last of what was printed, as it is on disk: whoever waits for a line reads it from here. Nothing is kept of a flood. */
export class RecentOutput {
  #blocks: Block[] = []
  #bytes = 0

  add(stream: Stream, start: number, bytes: Buffer): void {
    if (bytes.length > LARGEST_PIECE) {
      this.clear()
      return
    }
    // Copied: what it is a part of may be much larger.
    const block = this.#blockFor(stream, start, bytes.length)
    bytes.copy(block.bytes, block.length)
    block.length += bytes.length
    this.#bytes += bytes.length
    for (let first = this.#blocks[0]; first && this.#bytes - first.length >= KEPT_BYTES; first = this.#blocks[0]) {
      this.#blocks.shift()
      this.#bytes -= first.length
    }
  }

  clear(): void {
    this.#blocks = []
    this.#bytes = 0
  }

  /** Up to `most` bytes from `from` on, as readRange gives them; null: they are on disk only. */
  read(from: number, most: number): OutputRange | null {
    const [first] = this.#blocks
    if (!first || from < first.start) return null
    const pieces: Piece[] = []
    let at = from
    for (const { stream, start, bytes, length } of this.#blocks) {
      if (start + length <= at) continue
      const room = most - (at - from)
      if (room <= 0) break
      const part = bytes.subarray(at - start, Math.min(length, at - start + room))
      pieces.push({ stream, start: at, bytes: part })
      at += part.length
    }
    return { pieces, next: at, lost: 0 }
  }

  #blockFor(stream: Stream, start: number, length: number): Block {
    const last = this.#blocks.at(-1)
    if (last?.stream === stream && last.length + length <= last.bytes.length) return last
    // Most commands print little, and only once.
    const bytes = Buffer.allocUnsafe(last ? Math.max(length, BLOCK_BYTES) : length)
    const block = { stream, start, bytes, length: 0 }
    this.#blocks.push(block)
    return block
  }
}
