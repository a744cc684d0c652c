import type { OutputRange, Piece, Stream } from '../../base/output/output-segments.ts'
import { type FoundSecret, LONGEST_SECRET } from '../secrets/private-keys.ts'
import { markOf, type Redaction } from '../secrets/redactor.ts'
import { escapes } from './escapes.ts'

type ReadAround = (from: number, most: number) => OutputRange

const STREAMS: readonly Stream[] = ['stdout', 'stderr']

/**
 * A page of output with a mark in the place of each secret. As much is looked at before and behind it as the longest secret is
 * long, each stream for itself and without colours, so that none slips through in two halves. `read`: so many bytes of the output
 * from an offset on.
 */
export function redactPieces(read: ReadAround, pieces: readonly Piece[], redaction: Redaction): readonly Piece[] {
  let shown = pieces
  for (const stream of STREAMS) {
    const own = pieces.filter(piece => piece.stream === stream)
    const found = secretsIn(read, own, stream, redaction)
    if (found.length > 0) shown = marked(shown, stream, found, redaction)
  }
  return shown
}

/** In offsets of the log. */
interface SecretRange {
  readonly from: number
  readonly to: number
  readonly secret: FoundSecret
}

function secretsIn(read: ReadAround, own: readonly Piece[], stream: Stream, redaction: Redaction): SecretRange[] {
  const [first] = own
  const last = own.at(-1)
  if (first === undefined || last === undefined) return []
  const start = Math.max(0, first.start - LONGEST_SECRET)
  const isSame = (piece: Piece) => piece.stream === stream
  const before = first.start === 0 ? [] : read(start, first.start - start).pieces.filter(isSame)
  const after = read(last.start + last.bytes.length, LONGEST_SECRET).pieces.filter(isSame)

  const all = [...before, ...own, ...after]
  const joined = Buffer.concat(all.map(({ bytes }) => bytes)).toString('latin1')
  const plain = withoutEscapes(joined)
  const offsetOf = offsetsIn(all)
  return redaction.find(plain.text).map(secret => ({
    from: offsetOf(plain.at(secret.start)),
    to: offsetOf(plain.at(secret.end - 1)) + 1,
    secret,
  }))
}

/** The text without escape sequences, and where in the whole each of its characters is. */
function withoutEscapes(joined: string): { readonly text: string; at(index: number): number } {
  if (!joined.includes('\x1b')) return { text: joined, at: index => index }
  let text = ''
  let from = 0
  /** From this index of the text on, so much was left out. */
  const left: { readonly index: number; readonly by: number }[] = []
  for (const { 0: sequence, index } of joined.matchAll(escapes())) {
    text += joined.slice(from, index)
    from = index + sequence.length
    left.push({ index: text.length, by: from - text.length })
  }
  text += joined.slice(from)
  return { text, at: index => index + (lastUpTo(left, index, each => each.index)?.by ?? 0) }
}

function offsetsIn(pieces: readonly Piece[]): (index: number) => number {
  let length = 0
  const starts = pieces.map(({ start, bytes }) => {
    const piece = { index: length, by: start - length }
    length += bytes.length
    return piece
  })
  return index => index + (lastUpTo(starts, index, each => each.index)?.by ?? 0)
}

/** Of a sorted list the last one whose key is not beyond the index. */
function lastUpTo<T>(sorted: readonly T[], index: number, key: (each: T) => number): T | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (key(sorted[middle] as T) <= index) low = middle + 1
    else high = middle
  }
  return sorted[low - 1]
}

/** Each secret of which something is in these pieces, once: its mark stands where the first of it was. */
function marked(
  pieces: readonly Piece[],
  stream: Stream,
  found: readonly SecretRange[],
  redaction: Redaction,
): readonly Piece[] {
  const counted = new Set<SecretRange>()
  const all = pieces.map(piece => {
    const end = piece.start + piece.bytes.length
    const here = piece.stream === stream ? found.filter(({ from, to }) => from < end && to > piece.start) : []
    if (here.length === 0) return piece

    const parts: Buffer[] = []
    let at = piece.start
    for (const range of here) {
      if (range.from > at) parts.push(piece.bytes.subarray(at - piece.start, range.from - piece.start))
      if (!counted.has(range)) parts.push(Buffer.from(markOf(range.secret)))
      counted.add(range)
      at = Math.max(at, range.to)
    }
    if (at < end) parts.push(piece.bytes.subarray(at - piece.start))
    return { ...piece, bytes: Buffer.concat(parts) }
  })
  redaction.took(counted.size)
  return all
}
