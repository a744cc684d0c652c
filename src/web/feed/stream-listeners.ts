import type { ToWindow } from '../../contract/window/window-frames.ts'
import type { OutputPiece } from '../../contract/window/window-output.ts'

export type StreamFrame = Extract<ToWindow, { type: 'watching' | 'snapshot' | 'stream_end' }>

export interface StreamListener {
  frame(frame: StreamFrame): void
  output(piece: OutputPiece): void
  /** The host admitted this page again: what was watched has to be asked for anew. */
  admitted(): void
}

/** Whoever shows what runs print. */
export class StreamListeners {
  readonly #all = new Set<StreamListener>()

  listen(listener: StreamListener): () => void {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  /** Whether it was theirs. */
  take(frame: ToWindow): frame is StreamFrame {
    if (frame.type !== 'watching' && frame.type !== 'snapshot' && frame.type !== 'stream_end') return false
    for (const listener of this.#all) listener.frame(frame)
    return true
  }

  output(piece: OutputPiece): void {
    for (const listener of this.#all) listener.output(piece)
  }

  admitted(): void {
    for (const listener of this.#all) listener.admitted()
  }
}
