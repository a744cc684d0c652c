import { type Piece, readRange } from '../../base/output/output-segments.ts'
import { type OutputMoment, outputMoments } from '../../base/output/output-times.ts'
import { breathe } from '../store/evict-runs.ts'

const PAGE_BYTES = 64 * 1024

/** What was printed at one moment, or what is gone. */
export type TimedOutput =
  | (Piece & {
      readonly kind: 'piece' /** When it came, in milliseconds since 1970; null: not known. */
      readonly at: number | null
    })
  | { readonly kind: 'gone'; readonly start: number; readonly end: number }

/** All output that is kept, in order, cut where the stream or the moment changes, with turns for others in between. */
export async function* timedOutput(directory: string, size: number): AsyncGenerator<TimedOutput> {
  const moments = outputMoments(directory)
  let moment = 0
  let at = 0
  while (at < size) {
    const { pieces, next } = readRange(directory, at, Math.min(PAGE_BYTES, size - at))
    for (const piece of pieces) {
      if (piece.start > at) yield { kind: 'gone', start: at, end: piece.start }
      at = piece.start + piece.bytes.length
      for (const part of atMoments(piece, moments, moment)) {
        moment = part.moment
        yield { kind: 'piece', ...part.piece, at: moments[moment]?.at ?? null }
      }
    }
    if (next <= at && pieces.length === 0) break
    await breathe()
  }
  if (at < size) yield { kind: 'gone', start: at, end: size }
}

/** The parts of a piece, each with the moment it belongs to: the last that begins at or before it. */
function* atMoments(
  piece: Piece,
  moments: readonly OutputMoment[],
  first: number,
): Generator<{ readonly piece: Piece; readonly moment: number }> {
  const end = piece.start + piece.bytes.length
  let moment = first
  let start = piece.start
  while (start < end) {
    while ((moments[moment + 1]?.offset ?? Number.POSITIVE_INFINITY) <= start) moment += 1
    const to = Math.min(end, moments[moment + 1]?.offset ?? end)
    yield { piece: { ...piece, start, bytes: piece.bytes.subarray(start - piece.start, to - piece.start) }, moment }
    start = to
  }
}
