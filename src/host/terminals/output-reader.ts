import type { Disposable } from '../../base/disposable.ts'
import { readRange } from '../../base/output/output-segments.ts'
import type { PtyChunk } from '../../base/process/pty.ts'
import type { RunView } from '../../runs/run/run-view.ts'

const PIECE_BYTES = 64 * 1024

/**
 * Every byte of a run's output once, in order, from a cursor on, as it comes. It is read from the log, which is the truth.
 */
export class OutputFollower implements Disposable {
  readonly #view: Pick<RunView, 'source' | 'watch'>
  readonly #onChunk: (chunk: PtyChunk) => void
  readonly #watching: Disposable
  #next: number
  #reading = false
  #over = false

  constructor(view: Pick<RunView, 'source' | 'watch'>, from: number, onChunk: (chunk: PtyChunk) => void) {
    this.#view = view
    this.#next = from
    this.#onChunk = onChunk
    this.#watching = view.watch(() => this.#read())
    this.#read()
  }

  dispose(): void {
    this.#over = true
    this.#watching.dispose()
  }

  #read(): void {
    // A reader may cause more output: it comes in its turn.
    if (this.#reading) return
    this.#reading = true
    for (let size = 0; size !== this.#view.source().size; ) {
      size = this.#view.source().size
      this.#readUpTo(size)
    }
    this.#reading = false
  }

  #readUpTo(size: number): void {
    const { directory } = this.#view.source()
    while (!this.#over && this.#next < size) {
      const { pieces, next } = readRange(directory, this.#next, Math.min(PIECE_BYTES, size - this.#next))
      // Nothing there although it was printed: gone to the quota or a full disk.
      this.#next = pieces.length === 0 ? size : next
      for (const { start, bytes } of pieces) this.#onChunk({ at: start, bytes })
    }
  }
}
