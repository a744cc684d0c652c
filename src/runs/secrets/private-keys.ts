/** Where in a text a secret is. */
export interface FoundSecret {
  readonly start: number
  readonly end: number
  readonly what: string
}

/** The longest private key that is written out; as much is looked at on both sides of a page. */
export const LONGEST_SECRET = 16 * 1024

const BORDER = /-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
/** A line of a key, or of what stands above it; `\n` may be written as two characters, as in JSON. */
const KEY_LINE = /^[ \t"|>#*]{0,40}(?:[A-Za-z0-9+/=]{1,120}|[A-Z][A-Za-z0-9-]{1,19}: [^\n]{0,120})?[ \t"',\\r]{0,8}$/
const FULL_LINE = /[A-Za-z0-9+/=]{16}/
/** Only the last line of a key. */
const SHORT_LINE = /^[A-Za-z0-9+/=]{1,15}$/
const LONGEST_LINE = 400

/** Private keys, from the first dashes to the last; also one whose begin or end is not in the text. */
export function privateKeysIn(text: string): FoundSecret[] {
  if (!text.includes('PRIVATE KEY')) return []
  const borders = [...text.matchAll(BORDER)].map(({ 0: words, 1: which, index }) => ({
    which,
    index,
    end: index + words.length,
  }))
  const found: FoundSecret[] = []
  let past = 0
  for (const [i, { which, index, end }] of borders.entries()) {
    if (index < past) continue
    const next = borders[i + 1]
    const isClosed = next?.which === 'END' && next.index - end <= LONGEST_SECRET
    const start = which === 'BEGIN' ? index : keyLinesBefore(text, past, index)
    past = which === 'END' ? end : isClosed ? next.end : keyLinesBehind(text, end, next?.index ?? text.length)
    found.push({ start, end: past, what: 'private key' })
  }
  return found
}

/** Where the lines of a key end of which only the begin is here. */
function keyLinesBehind(text: string, body: number, limit: number): number {
  let at = body
  let end = body
  for (const line of text.slice(body, Math.min(limit, body + LONGEST_SECRET)).split('\n')) {
    if (!line.split('\\n').every(part => KEY_LINE.test(part.replace(/\r$/, '')))) break
    if (line.trim() !== '') end = at + line.trimEnd().length
    at += line.length + 1
    if (SHORT_LINE.test(line.trim())) break
  }
  return end
}

/** Where the lines of a key begin of which only the end is here. */
function keyLinesBefore(text: string, from: number, end: number): number {
  const first = Math.max(from, end - LONGEST_SECRET)
  let start = end
  while (start > first && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1
  for (let isLast = true; start > first; isLast = false) {
    const stop = beforeBreak(text, start)
    if (stop === null) break
    const begin = lineStart(text, Math.max(first, stop - LONGEST_LINE), stop)
    const line = text.slice(begin, stop)
    // Only the last line of a key is short.
    if (!KEY_LINE.test(line) || !(isLast || FULL_LINE.test(line))) break
    start = begin
  }
  return start
}

/** Where the line break begins that ends right here; null: there is none. */
function beforeBreak(text: string, at: number): number | null {
  if (text[at - 1] === '\n') return text[at - 2] === '\r' ? at - 2 : at - 1
  return at >= 2 && text.startsWith('\\n', at - 2) ? at - 2 : null
}

/** Not before `first`: whatever is there was looked at. */
function lineStart(text: string, first: number, stop: number): number {
  const before = text.slice(first, stop)
  const written = before.lastIndexOf('\\n')
  return first + Math.max(before.lastIndexOf('\n') + 1, written < 0 ? 0 : written + 2)
}
