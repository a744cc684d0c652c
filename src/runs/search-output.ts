import { readRange, type Stream } from './output-segments.ts'
import type { OutputSource } from './output-text.ts'

export interface Match {
  readonly offset: number
  readonly stream: Stream
  readonly line: string
}

const PAGE_BYTES = 1024 * 1024
const LONGEST_LINE = 2000

/** Lines that contain the text, within a budget; `cursor` is where to search on. */
export function searchOutput(
  source: OutputSource,
  text: string,
  limits: { readonly from: number; readonly budget: number },
): { matches: Match[]; cursor: number } {
  const matches: Match[] = []
  const open: Record<Stream, { text: string; offset: number } | null> = { stdout: null, stderr: null }
  let used = 0
  let cursor = limits.from
  const keep = (match: Match): boolean => {
    if (!match.line.includes(text)) return true
    const line = match.line.slice(0, LONGEST_LINE)
    used += Buffer.byteLength(line) + 64
    if (used <= limits.budget) matches.push({ ...match, line })
    return used <= limits.budget
  }
  while (cursor < source.size) {
    const { pieces, next } = readRange(source.directory, cursor, PAGE_BYTES)
    if (next <= cursor) break
    for (const { stream, start, bytes } of pieces) {
      for (let at = 0; at < bytes.length; ) {
        const newline = bytes.indexOf(0x0a, at)
        const end = newline < 0 ? bytes.length : newline
        const before = open[stream]
        const line = (before?.text ?? '') + bytes.toString('utf8', at, end)
        const offset = before?.offset ?? start + at
        open[stream] = newline < 0 ? { text: line, offset } : null
        if (newline >= 0 && !keep({ offset, stream, line })) return { matches, cursor: offset }
        at = end + 1
      }
    }
    cursor = next
  }
  for (const stream of ['stdout', 'stderr'] as const) {
    const rest = open[stream]
    // The last line has no end yet; while the run goes on it may still grow, so it is searched again next time.
    if (rest && !source.over) cursor = Math.min(cursor, rest.offset)
    else if (rest) keep({ offset: rest.offset, stream, line: rest.text })
  }
  return { matches, cursor }
}
