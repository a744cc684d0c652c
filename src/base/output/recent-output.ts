import type { OutputRange, Piece, Stream } from './output-segments.ts'

const KEPT_BYTES = 8 * 1024
const LARGEST_PIECE = 4 * 1024

/** The last of what was printed, as it is on disk: whoever waits for a line reads it from here. Nothing is kept of a flood. */
export class RecentOutput {
  #pieces: Piece[] = []
  #bytes = 0

  add(stream: Stream, start: number, bytes: Buffer): void {
    if (bytes.length > LARGEST_PIECE) {
      this.clear()
      return
    }
    // Copied: what it is a part of may be much larger.
    this.#pieces.push({ stream, start, bytes: Buffer.from(bytes) })
    this.#bytes += bytes.length
    while (this.#bytes > KEPT_BYTES) this.#bytes -= this.#pieces.shift()?.bytes.length ?? this.#bytes
  }

  clear(): void {
    this.#pieces = []
    this.#bytes = 0
  }

  /** Up to `most` bytes from `from` on, as readRange gives them; null: they are on disk only. */
  read(from: number, most: number): OutputRange | null {
    const [first] = this.#pieces
    if (!first || from < first.start) return null
    const pieces: Piece[] = []
    let at = from
    for (const { stream, start, bytes } of this.#pieces) {
      if (start + bytes.length <= at || at - from >= most) continue
      const part = bytes.subarray(at - start, at - start + most - (at - from))
      pieces.push({ stream, start: at, bytes: part })
      at += part.length
    }
    return { pieces, next: at, lost: 0 }
  }
}
