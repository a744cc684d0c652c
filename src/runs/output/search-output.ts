import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import { type Piece, readRange, type Stream } from '../../base/output/output-segments.ts'
import type { Redaction } from '../secrets/redactor.ts'
import { linesWithoutEscapes } from './escapes.ts'
import { LineMatcher } from './line-matcher.ts'
import type { OutputSource } from './output-text.ts'
import { redactLine } from './redact-line.ts'
import { StreamLines } from './stream-lines.ts'

export interface Match {
  readonly offset: number
  readonly stream: Stream
  readonly line: string
  readonly before?: string[]
  readonly after?: string[]
}

export interface SearchLimits {
  readonly from: number
  readonly budget: number
  /** Lines around each match. */
  readonly context: number
}

const PAGE_BYTES = 512 * 1024
const LONGEST_LINE = 2000
const PER_MATCH_BYTES = 64
const CONTEXT_BYTES = 16 * 1024
const MOST_PER_PAGE = 1000
/** Then what was found so far is the answer, with a cursor to search on. */
const LONGEST_SEARCH_MS = 5000

/**
 * Lines that have the pattern (line-matcher.ts), within a budget; `cursor` is where to search on. The first match always fits.
 * Reads in pages and lets others go first in between.
 */
export async function searchOutput(
  source: OutputSource,
  pattern: string,
  limits: SearchLimits,
  clock: Clock,
  redaction: Redaction | null = null,
): Promise<{ matches: Match[]; cursor: number }> {
  const matcher = new LineMatcher([pattern], clock)
  const matches: Match[] = []
  const lines: Record<Stream, StreamLines> = { stdout: new StreamLines(), stderr: new StreamLines() }
  const began = clock.elapsed()
  let used = 0
  let cursor = limits.from

  /** Where the search stops, when the budget does not hold all of them. */
  const keep = (found: readonly Match[]): number | null => {
    for (const match of found) {
      // Only what fits is looked at: whatever else was found is found again.
      if (matches.length > 0 && used + PER_MATCH_BYTES > limits.budget) return match.offset
      const line = redaction ? redactLine(source.directory, match, redaction) : match.line
      const short = { ...match, line: excerpt(line, pattern, limits.budget) }
      const whole = withContext(source, short, limits.context, redaction)
      used += sizeOf(whole)
      if (matches.length > 0 && used > limits.budget) return match.offset
      matches.push(whole)
    }
    return null
  }

  try {
    while (cursor < source.size && clock.elapsed() - began < LONGEST_SEARCH_MS) {
      const { pieces, next } = readRange(source.directory, cursor, PAGE_BYTES)
      // Nothing there although the log is longer: the rest is gone.
      cursor = next <= cursor ? source.size : next
      const isLast = cursor >= source.size && source.over
      const stopped = keep(await matchesIn(pieces, lines, matcher, isLast))
      if (stopped !== null) return { matches, cursor: stopped }
      await setImmediate()
    }
  } finally {
    matcher.dispose()
  }
  // While the run goes on its last line may still grow, so it is searched again next time.
  return { matches, cursor: Math.min(cursor, lines.stdout.openFrom, lines.stderr.openFrom) }
}

async function matchesIn(
  pieces: readonly Piece[],
  lines: Readonly<Record<Stream, StreamLines>>,
  matcher: LineMatcher,
  isLast: boolean,
): Promise<Match[]> {
  const found: Match[] = []
  for (const stream of ['stdout', 'stderr'] as const) {
    const page = lines[stream].take(
      pieces.filter(piece => piece.stream === stream),
      isLast,
    )
    if (page === null || matcher.isNotIn(page.bytes)) continue
    const text = linesWithoutEscapes(page.bytes.toString('utf8'))
    const offsetOf = page.offsets(text)
    for (const start of await matcher.linesIn(text, MOST_PER_PAGE)) {
      const end = text.indexOf('\n', start)
      const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '')
      found.push({ offset: offsetOf(start), stream, line })
    }
  }
  return found.sort((a, b) => a.offset - b.offset)
}

/** The lines around it, of both streams, in the order they came. */
function withContext(source: OutputSource, match: Match, lines: number, redaction: Redaction | null): Match {
  if (lines === 0) return match
  const { offset } = match
  const from = Math.max(0, offset - CONTEXT_BYTES)
  const earlier = textIn(source.directory, from, offset - from)
  const later = textIn(source.directory, offset, CONTEXT_BYTES + LONGEST_LINE)
  const linesOf = (text: string, shown: (all: string[]) => string[]) =>
    (redaction?.lines(text, shown) ?? shown(text.split('\n'))).map(line => line.slice(0, LONGEST_LINE))

  // The last one is what stands before the match on its own line, and the last of the others may go on.
  const before = linesOf(earlier, all => all.slice(from > 0 ? 1 : 0, -1).slice(-lines))
  const after = linesOf(later, all => all.slice(1, lines + 1).filter((line, i) => line !== '' || i < all.length - 2))
  return { ...match, before, after }
}

function textIn(directory: string, from: number, most: number): string {
  const bytes = Buffer.concat(readRange(directory, from, most).pieces.map(piece => piece.bytes))
  return linesWithoutEscapes(bytes.toString('utf8')).replaceAll('\r\n', '\n')
}

const sizeOf = ({ line, before = [], after = [] }: Match): number =>
  [line, ...before, ...after].reduce((sum, each) => sum + Buffer.byteLength(each), PER_MATCH_BYTES)

/** The line cut to what fits, with the text in view where it is as it was written. */
function excerpt(line: string, text: string, budget: number): string {
  const most = Math.min(LONGEST_LINE, Math.max(text.length, budget - PER_MATCH_BYTES))
  const at = Math.max(0, line.indexOf(text))
  const from = Math.max(0, Math.min(at - Math.floor((most - text.length) / 2), line.length - most))
  return line.slice(from, from + most)
}
