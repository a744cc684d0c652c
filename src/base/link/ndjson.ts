import { isUtf8 } from 'node:buffer'

/** Why a stream is not ours to read any further. */
export type FrameFault = 'frame_too_long' | 'not_utf8' | 'not_json' | 'not_our_protocol'

const NEWLINE = 10
const BRACE = 123

/**
 * Cuts bytes into frames: one JSON object per line. The first fault ends it: after a frame that was too long or broken
 * nobody knows where the next one starts, so nothing more is read.
 */
export class NdjsonReader {
  readonly #longest: number
  #waiting: Buffer[] = []
  #length = 0
  #fault: FrameFault | null = null

  constructor(longestFrame: number) {
    this.#longest = longestFrame
  }

  /** The frames that are complete now, and what is wrong with the stream, if something is. */
  push(chunk: Buffer): { readonly frames: readonly object[]; readonly fault: FrameFault | null } {
    const frames: object[] = []
    let start = 0
    while (this.#fault === null && start < chunk.length) {
      // A frame starts with a brace: whoever speaks something else is told apart by the first byte.
      if (this.#length === 0 && chunk[start] !== BRACE && chunk[start] !== NEWLINE) this.#fault = 'not_our_protocol'
      const end = chunk.indexOf(NEWLINE, start)
      const part = chunk.subarray(start, end < 0 ? undefined : end)
      if (this.#length + part.length > this.#longest) this.#fault = 'frame_too_long'
      if (this.#fault !== null) break
      start += part.length + 1
      this.#length += part.length
      if (end < 0) this.#waiting.push(Buffer.from(part))
      else this.#take(part, frames)
    }
    if (this.#fault !== null) this.#waiting = []
    return { frames, fault: this.#fault }
  }

  #take(last: Buffer, frames: object[]): void {
    const line = this.#waiting.length === 0 ? last : Buffer.concat([...this.#waiting, last], this.#length)
    this.#waiting = []
    this.#length = 0
    if (line.length === 0) return
    if (!isUtf8(line)) {
      this.#fault = 'not_utf8'
      return
    }
    try {
      frames.push(JSON.parse(line.toString('utf8')) as object)
    } catch {
      this.#fault = 'not_json'
    }
  }
}

export const asLine = (frame: object): string => `${JSON.stringify(frame)}\n`
