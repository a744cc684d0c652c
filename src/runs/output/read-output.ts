import type { Clock } from '../../base/clock.ts'
import { readRange } from '../../base/output/output-segments.ts'
import { invalidPayload } from '../../contract/tool/issues.ts'
import { DEFAULT_OUTPUT_BYTES, type OutputOptions } from '../../contract/tool/output-options.ts'
import type { Result } from '../../contract/tool/response.ts'
import type { Redaction, Redactor } from '../secrets/redactor.ts'
import { PatternTooSlow } from './line-matcher.ts'
import { type OutputSource, surroundings, textFrom, textOf } from './output-text.ts'
import { redactPieces } from './redact-pieces.ts'
import { type ScreenSize, screenText } from './screen-text.ts'
import { searchOutput } from './search-output.ts'

/** What is read, and by whose clock. */
export interface OutputToRead {
  readonly source: OutputSource
  /** Bytes that were never written down. */
  readonly lost: number
  /** Of its terminal; null: it has none. */
  readonly size: ScreenSize | null
  readonly clock: Clock
  /** Whoever reads it is an agent: it gets no secrets. */
  readonly redactor: Redactor
}

const NO_TERMINAL: ScreenSize = { cols: 120, rows: 30 }

/** The output of a run as an answer carries it: as text, as bytes, as a screen, or the lines that were searched for. */
export async function readOutput(from: OutputToRead, options: OutputOptions): Promise<Result> {
  const redaction = from.redactor.begin()
  const result = await wanted(from, options, redaction)
  return redaction.taken === 0 ? result : { ...result, redacted: redaction.taken }
}

function wanted(from: OutputToRead, options: OutputOptions, redaction: Redaction): Result | Promise<Result> {
  if (options.search !== undefined) return found(from, options.search, options, redaction)
  switch (options.format ?? 'text') {
    case 'text':
      return shown(from, options, redaction)
    case 'raw':
      return bytesOf(from, options, redaction)
    case 'screen':
      return screen(from, redaction)
  }
}

function shown({ source, lost }: OutputToRead, options: OutputOptions, redaction: Redaction): Result {
  const budget = options.max_bytes ?? DEFAULT_OUTPUT_BYTES
  const text =
    options.cursor === undefined
      ? textOf(source, options.view ?? 'both', budget, redaction)
      : textFrom(source, options.cursor, budget, redaction)
  const gone = Math.max(text.lost, options.cursor === undefined ? lost : 0)
  return {
    stdout: text.stdout,
    stderr: text.stderr,
    ...(text.order.length > 0 && { order: [...text.order] }),
    cursor: text.cursor,
    output_bytes: source.size,
    ...(text.omitted > 0 && { omitted_bytes: text.omitted, omitted_from: text.omittedFrom }),
    ...(gone > 0 && { lost_bytes: gone }),
  }
}

async function found(
  { source, lost, clock }: OutputToRead,
  pattern: string,
  options: OutputOptions,
  redaction: Redaction,
): Promise<Result> {
  const { cursor: from = 0, max_bytes: budget = DEFAULT_OUTPUT_BYTES, context_lines: context = 0 } = options
  const limits = { from, budget, context }
  const { matches, cursor } = await searchOutput(source, pattern, limits, clock, redaction).catch(tooSlow('search'))
  return { matches, ...upTo(source, cursor), ...(lost > 0 && { lost_bytes: lost }) }
}

/** What a pattern that takes for ever is called, where it was sent. */
export const tooSlow =
  (field: string) =>
  (cause: unknown): never => {
    throw cause instanceof PatternTooSlow
      ? invalidPayload([
          { field, problem: 'takes too long on this output: nested repeats like (a+)+ can. Send a simpler one' },
        ])
      : cause
  }

/** Every byte as it came, both streams in their order; a mark where a secret was, and the cursor counts what was there. */
function bytesOf({ source }: OutputToRead, options: OutputOptions, redaction: Redaction): Result {
  const { cursor = 0, max_bytes = DEFAULT_OUTPUT_BYTES } = options
  const { pieces, next, lost } = readRange(source.directory, cursor, max_bytes)
  const bytes = Buffer.concat(redactPieces(surroundings(source), pieces, redaction).map(piece => piece.bytes))
  const end = pieces.length === 0 ? source.size : next
  const gone = lost + (end - next)
  return { base64: bytes.toString('base64'), ...upTo(source, end), ...(gone > 0 && { lost_bytes: gone }) }
}

async function screen({ source, size }: OutputToRead, redaction: Redaction): Promise<Result> {
  const breaks = size ? 'of_a_terminal' : 'of_a_pipe'
  const { next, from, ...shot } = await screenText(source, size ?? NO_TERMINAL, breaks, redaction)
  return {
    screen: shot,
    cursor: next,
    output_bytes: source.size,
    ...(from > 0 && { omitted_bytes: from, omitted_from: 0 }),
  }
}

function upTo(source: OutputSource, cursor: number): Result {
  const left = source.size - cursor
  return { cursor, output_bytes: source.size, ...(left > 0 && { omitted_bytes: left, omitted_from: cursor }) }
}
