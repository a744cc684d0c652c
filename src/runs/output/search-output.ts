import { StringDecoder } from 'node:string_decoder'
import { readRange, type Stream } from '../../base/output/output-segments.ts'
import { type OutputSource, withoutEscapes } from './output-text.ts'

export interface Match {
  readonly offset: number
  readonly stream: Stream
  readonly line: string
}

const PAGE_BYTES = 1024 * 1024
const LONGEST_LINE = 2000
// A line that never ends must not fill the memory: it is searched in pieces of this many characters.
const LONGEST_OPEN_LINE = 4 * 1024 * 1024
const PER_MATCH_BYTES = 64

/** Lines that contain the text, within a budget; `cursor` is where to search on. The first match always fits. */
export function searchOutput(
  source: OutputSource,
  text: string,
  limits: { readonly from: number; readonly budget: number },
): { matches: Match[]; cursor: number } {
  const matches: Match[] = []
  let used = 0
  const keep = (offset: number, stream: Stream, raw: string): boolean => {
    const line = excerpt(withoutEscapes(raw), text, limits.budget)
    if (line === null) return true
    used += Buffer.byteLength(line) + PER_MATCH_BYTES
    if (matches.length > 0 && used > limits.budget) return false
    matches.push({ offset, stream, line })
    return true
  }
  const open: Record<Stream, OpenLine> = { stdout: new OpenLine(), stderr: new OpenLine() }
  let cursor = limits.from
  while (cursor < source.size) {
    const { pieces, next } = readRange(source.directory, cursor, PAGE_BYTES)
    // Nothing there although the log is longer: the rest is gone.
    if (next <= cursor) {
      cursor = source.size
      break
    }
    for (const { stream, start, bytes } of pieces)
      for (const { offset, line } of open[stream].lines(start, bytes))
        if (!keep(offset, stream, line)) return { matches, cursor: offset }
    cursor = next
  }
  const unfinished = (['stdout', 'stderr'] as const)
    .flatMap(stream => ({ stream, ...open[stream].rest() }))
    .filter(({ line }) => line !== '')
    .sort((a, b) => a.offset - b.offset)
  // While the run goes on its last line may still grow, so it is searched again next time.
  for (const { offset, stream, line } of unfinished)
    if (!source.over || !keep(offset, stream, line)) return { matches, cursor: Math.min(cursor, offset) }
  return { matches, cursor }
}

/** The line that is being put together from the pieces of one stream. */
class OpenLine {
  readonly #decoder = new StringDecoder('utf8')
  #text = ''
  #offset = 0

  rest(): { offset: number; line: string } {
    return { offset: this.#offset, line: this.#text + this.#decoder.end() }
  }

  *lines(start: number, bytes: Buffer): Generator<{ offset: number; line: string }> {
    for (let at = 0; at < bytes.length; ) {
      if (this.#text === '') this.#offset = start + at
      const newline = bytes.indexOf(0x0a, at)
      const end = newline < 0 ? bytes.length : newline
      this.#text += this.#decoder.write(bytes.subarray(at, end))
      if (newline >= 0 || this.#text.length > LONGEST_OPEN_LINE) {
        yield { offset: this.#offset, line: this.#text }
        this.#text = ''
      }
      at = end + 1
    }
  }
}

/** The line if it has the text, cut to what fits with the text in view. */
function excerpt(line: string, text: string, budget: number): string | null {
  const at = line.indexOf(text)
  if (at < 0) return null
  const most = Math.min(LONGEST_LINE, Math.max(text.length, budget - PER_MATCH_BYTES))
  const from = Math.max(0, Math.min(at - Math.floor((most - text.length) / 2), line.length - most))
  return line.slice(from, from + most)
}
