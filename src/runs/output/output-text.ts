import { type OutputRange, type Piece, readRange, type Stream, segmentsIn } from '../../base/output/output-segments.ts'
import { unfinished } from '../../base/output/utf8-joint.ts'
import type { Redaction } from '../secrets/redactor.ts'
import { LONGEST_ESCAPE, withoutEscapes } from './escapes.ts'
import { redactPieces } from './redact-pieces.ts'
import { redraws, type StreamText, seenTurns } from './seen-text.ts'

/** Output as text for an agent: whole characters, no escape sequences, within a budget, and honest about the rest. */
export interface OutputText {
  readonly stdout: string
  readonly stderr: string
  /** How the two alternated, in characters; empty when only one of them spoke. */
  readonly order: readonly { readonly stream: Stream; readonly chars: number }[]
  readonly cursor: number
  /** Readable with read_output, but not in this text. */
  readonly omitted: number
  /** Where the first of them is. */
  readonly omittedFrom: number
  /** Gone for good. */
  readonly lost: number
}

export interface OutputSource {
  readonly directory: string
  readonly size: number
  /** Nothing more will be written. */
  readonly over: boolean
  /** What is still in memory of it; null: not so much. */
  readonly recent?: (from: number, most: number) => OutputRange | null
}

/** Up to `most` bytes from `from` on. */
export const rangeFrom = (source: OutputSource, from: number, most: number): OutputRange =>
  source.recent?.(from, most) ?? readRange(source.directory, from, most)

/** The same, as whoever takes secrets out of a part of it asks for what is around that part. */
export const surroundings = (source: OutputSource) => (from: number, most: number) => rangeFrom(source, from, most)

const MOST_TURNS = 500
/** So much is read of output that draws its lines again: most of it is gone when it is shown. */
const MOST_REDRAWN = 1024 * 1024
const HEAD_SHARE = 1 / 3

/** From a cursor on: every byte once, nothing skipped. `redaction`: null where a person looks. */
export function textFrom(
  source: OutputSource,
  cursor: number,
  budget: number,
  redaction: Redaction | null = null,
): OutputText {
  const drawn = redrawn(source, cursor, budget)
  const room = drawn ? MOST_REDRAWN : budget
  const range = upToTheEnd(drawn ?? rangeFrom(source, cursor, budget), source, room)
  const full = bytesIn(range.pieces) >= room
  const whole = range.next >= source.size && source.over ? range : cutAtCharacter(full ? cutAtLine(range) : range)
  return {
    ...shownText(source, redaction, whole.pieces),
    cursor: whole.next,
    omitted: Math.max(0, source.size - whole.next),
    omittedFrom: whole.next,
    lost: whole.lost,
  }
}

/** More than the budget, where so little is left of it to be seen that it fits; null: it does not. */
function redrawn(source: OutputSource, from: number, budget: number): OutputRange | null {
  if (source.size - from <= budget) return null
  const first = readRange(source.directory, from, budget)
  if (!turnsOf(first.pieces).some(({ text }) => redraws(text))) return null
  const range = readRange(source.directory, from, MOST_REDRAWN)
  const { stdout, stderr } = asText(range.pieces)
  return Buffer.byteLength(stdout) + Buffer.byteLength(stderr) <= budget ? range : null
}

/** There was room for more, so there is no more: whatever is missing up to the end is gone. */
function upToTheEnd(range: OutputRange, source: OutputSource, budget: number): OutputRange {
  const missing = source.size - range.next
  if (missing <= 0 || bytesIn(range.pieces) >= budget) return range
  return { ...range, next: source.size, lost: range.lost + missing }
}

/** Without a cursor: all of it if it fits, else the ends that matter. The cursor is the end. */
export function textOf(
  source: OutputSource,
  view: 'head' | 'tail' | 'both',
  budget: number,
  redaction: Redaction | null = null,
): OutputText {
  // Most commands print nothing or little: an empty log has no directory to look into.
  if (source.size === 0) return { stdout: '', stderr: '', order: [], cursor: 0, omitted: 0, omittedFrom: 0, lost: 0 }
  const readable = segmentsIn(source.directory).reduce((sum, { start, end }) => sum + end - start, 0)
  const whole = { cursor: source.size, omitted: 0, omittedFrom: source.size, lost: source.size - readable }
  if (readable <= budget)
    return { ...shownText(source, redaction, readRange(source.directory, 0, budget).pieces), ...whole }
  const drawn = readable <= MOST_REDRAWN ? redrawn(source, 0, budget) : null
  if (drawn !== null) return { ...shownText(source, redaction, drawn.pieces), ...whole }

  const headBytes = view === 'head' ? budget : view === 'tail' ? 0 : Math.floor(budget * HEAD_SHARE)
  const { pieces: head, next: headEnd } = cutAtCharacter(cutAtLine(readRange(source.directory, 0, headBytes)))
  const tailStart = Math.max(headEnd, source.size - (budget - headBytes))
  const tail = view === 'head' ? [] : skipToLine(skipToCharacter(readRange(source.directory, tailStart, budget).pieces))
  const shown = bytesIn(head) + bytesIn(tail)

  // What was written while it was read is not part of this answer.
  const omitted = Math.max(0, Math.min(readable, source.size) - shown)
  const note = `[${omitted} bytes left out here; read_output with cursor ${headEnd} shows them]\n`
  return {
    ...shownText(source, redaction, head, tail, needsBreak(head) ? `\n${note}` : note),
    cursor: view === 'head' ? headEnd : source.size,
    omitted,
    omittedFrom: headEnd,
    lost: Math.max(0, source.size - readable),
  }
}

const needsBreak = (pieces: readonly Piece[]): boolean => {
  const last = pieces.at(-1)?.bytes.at(-1)
  return last !== undefined && last !== 0x0a
}

/** The tail begins with a whole line where it can. */
function skipToLine(pieces: readonly Piece[]): Piece[] {
  const [first, ...rest] = pieces
  const skip = (first?.bytes.indexOf(0x0a) ?? -1) + 1
  if (!first || skip === 0 || skip > first.bytes.length / 2) return [...pieces]
  return [{ ...first, bytes: first.bytes.subarray(skip) }, ...rest]
}

const bytesIn = (pieces: readonly Piece[]): number => pieces.reduce((sum, piece) => sum + piece.bytes.length, 0)

type TextStreams = Pick<OutputText, 'stdout' | 'stderr' | 'order'>

/** What is cut is cut before: the marks have other lengths than what they stand for. */
function shownText(
  source: OutputSource,
  redaction: Redaction | null,
  pieces: readonly Piece[],
  tail: readonly Piece[] = [],
  note = '',
): TextStreams {
  if (redaction === null) return asText(pieces, tail, note)
  const redacted = (own: readonly Piece[]) => redactPieces(surroundings(source), own, redaction)
  return asText(redacted(pieces), redacted(tail), note, text => redaction.text(text))
}

/** `drawn`: for what lines that were drawn over have become. */
function asText(
  pieces: readonly Piece[],
  tail: readonly Piece[] = [],
  note = '',
  drawn: (text: string) => string = text => text,
): TextStreams {
  const text: Record<Stream, string> = { stdout: '', stderr: '' }
  const order: { stream: Stream; chars: number }[] = []
  const add = (stream: Stream, words: string) => {
    if (words === '') return
    text[stream] += words
    const last = order.at(-1)
    if (last?.stream === stream) last.chars += words.length
    else if (order.length < MOST_TURNS) order.push({ stream, chars: words.length })
  }
  for (const turn of seenTurns(turnsOf(pieces), drawn)) add(turn.stream, turn.text)
  if (note) add(tail[0]?.stream ?? pieces.at(-1)?.stream ?? 'stdout', note)
  for (const turn of seenTurns(turnsOf(tail), drawn)) add(turn.stream, turn.text)
  return { ...text, order: order.length > 1 ? order : [] }
}

/** What each stream said before the other spoke. */
function turnsOf(pieces: readonly Piece[]): StreamText[] {
  const turns: { stream: Stream; parts: Buffer[] }[] = []
  for (const { stream, bytes } of pieces) {
    const last = turns.at(-1)
    if (last?.stream === stream) last.parts.push(bytes)
    else turns.push({ stream, parts: [bytes] })
  }
  return turns.map(({ stream, parts }) => ({ stream, text: Buffer.concat(parts).toString('utf8') }))
}

/** A full page ends with a whole line where it can: a line in two halves is hard to read and easy to miss. */
function cutAtLine(range: OutputRange): OutputRange {
  const last = range.pieces.at(-1)
  const keep = (last?.bytes.lastIndexOf(0x0a) ?? -1) + 1
  if (!last || keep < last.bytes.length / 2) return range
  const pieces = [...range.pieces.slice(0, -1), { ...last, bytes: last.bytes.subarray(0, keep) }]
  return { ...range, pieces, next: range.next - (last.bytes.length - keep) }
}

/** Takes back the start of a character or of an escape sequence whose rest comes with the next read. */
function cutAtCharacter(range: OutputRange): OutputRange {
  const last = range.pieces.at(-1)
  if (!last) return range
  let keep = last.bytes.length - unfinished(last.bytes)
  // A line break of a terminal is two bytes.
  if (last.bytes[keep - 1] === 0x0d) keep -= 1
  const esc = last.bytes.lastIndexOf(0x1b)
  if (esc >= 0 && last.bytes.length - esc < LONGEST_ESCAPE) {
    const rest = last.bytes.toString('latin1', esc)
    if (withoutEscapes(rest) === rest && rest.length > 0) keep = Math.min(keep, esc)
  }
  // A page that is nothing but one such start is returned as it is: reading must go on.
  if (keep === last.bytes.length || (keep === 0 && range.pieces.length === 1)) return range
  const pieces = [...range.pieces.slice(0, -1), { ...last, bytes: last.bytes.subarray(0, keep) }]
  return { ...range, pieces, next: range.next - (last.bytes.length - keep) }
}

/** The tail starts at some byte: drops what is left of a character cut there. */
function skipToCharacter(pieces: readonly Piece[]): Piece[] {
  const [first, ...rest] = pieces
  if (!first) return []
  let skip = 0
  while (skip < 3 && skip < first.bytes.length && ((first.bytes[skip] as number) & 0xc0) === 0x80) skip += 1
  return [{ ...first, bytes: first.bytes.subarray(skip) }, ...rest]
}

/** The cursor of the end, as far as the disk knows. */
export const segmentEnd = (directory: string): number => segmentsIn(directory).at(-1)?.end ?? 0
