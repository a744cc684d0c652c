import type { Piece } from '../../base/output/output-segments.ts'

// A line that never ends must not fill the memory: it is taken in parts of this many bytes.
const LONGEST_OPEN_LINE = 4 * 1024 * 1024

/** Whole lines of one stream, put together from pieces between which the other stream may have spoken. */
export class StreamLines {
  #open: readonly Piece[] = []

  /** Where the line begins that is not over yet. */
  get openFrom(): number {
    return this.#open[0]?.start ?? Number.POSITIVE_INFINITY
  }

  /** The lines that are over by now; `isLast`: the last one too. null: none is. */
  take(pieces: readonly Piece[], isLast: boolean): LinesPage | null {
    const all = [...this.#open, ...pieces]
    const cut = isLast || bytesIn(all) > LONGEST_OPEN_LINE ? all.length : all.findLastIndex(hasBreak)
    if (cut === all.length) {
      this.#open = []
      return all.length === 0 ? null : new LinesPage(all)
    }
    const last = all[cut]
    if (last === undefined) {
      this.#open = all
      return null
    }
    const end = last.bytes.lastIndexOf(0x0a) + 1
    const rest = { ...last, start: last.start + end, bytes: last.bytes.subarray(end) }
    // Copied: a page is large, and what is left of it small.
    this.#open = [rest, ...all.slice(cut + 1)]
      .filter(({ bytes }) => bytes.length > 0)
      .map(piece => ({ ...piece, bytes: Buffer.from(piece.bytes) }))
    return new LinesPage([...all.slice(0, cut), { ...last, bytes: last.bytes.subarray(0, end) }])
  }
}

const hasBreak = ({ bytes }: Piece): boolean => bytes.includes(0x0a)
const bytesIn = (pieces: readonly Piece[]): number => pieces.reduce((sum, piece) => sum + piece.bytes.length, 0)

export class LinesPage {
  readonly bytes: Buffer
  readonly #pieces: readonly Piece[]

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces
    const [only, ...others] = pieces
    this.bytes = only && others.length === 0 ? only.bytes : Buffer.concat(pieces.map(piece => piece.bytes))
  }

  /** Where in the log the line is that begins at this index of its text; for growing indexes. */
  offsets(text: string): (index: number) => number {
    let seen = 0
    let piece = 0
    let at = 0
    return index => {
      for (let next = text.indexOf('\n', seen); next >= 0 && next < index; next = text.indexOf('\n', seen)) {
        seen = next + 1
        for (;;) {
          const found = this.#pieces[piece]?.bytes.indexOf(0x0a, at) ?? 0
          if (found >= 0) {
            at = found + 1
            break
          }
          piece += 1
          at = 0
        }
      }
      // Behind the last byte of a piece: the line begins with the next one.
      if (at >= (this.#pieces[piece]?.bytes.length ?? 0) && this.#pieces[piece + 1]) {
        piece += 1
        at = 0
      }
      return (this.#pieces[piece]?.start ?? 0) + at
    }
  }
}
