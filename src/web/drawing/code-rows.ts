import { type DrawAs, drawText, TYPOGRAPHIC } from '../../contract/drawn-text.ts'

/**
 * A text of an agent as rows of a code view: every character is itself or a sign for it, and the verdict's parts are marked.
 *
 *   cells (contract/drawn-text.ts) → rows at line breaks → stretches that are drawn alike
 *
 * Pure. Put together, the stretches are exactly the drawn text, in order, so the view can be compared with the bytes.
 */
export interface Mark {
  /** Byte offsets in the text, as a verdict gives them. */
  readonly start: number
  readonly end: number
  readonly tone: Tone
}
export type Tone = 'covered' | 'open' | 'grave'

export interface Stretch {
  readonly text: string
  /** plain: itself · foreign: itself, but not ASCII · blank: a sign for a blank or break · sign: a name for what cannot be seen. */
  readonly look: 'plain' | 'foreign' | 'blank' | 'sign'
  readonly mark: number | null
  /** The mark begins with this stretch: its number is here. */
  readonly begins: boolean
}

export interface CodeRow {
  readonly line: number
  readonly stretches: readonly Stretch[]
}

export function codeRows(text: string, marks: readonly Mark[] = [], as: DrawAs = 'command'): CodeRow[] {
  const markAt = markFinder(text, marks)
  const rows: { line: number; stretches: Stretch[] }[] = [{ line: 1, stretches: [] }]
  const begun = new Set<number>()
  for (const cell of drawText(text, as)) {
    const row = rows.at(-1) as { line: number; stretches: Stretch[] }
    const look = !cell.sign
      ? cell.drawn > '~' && !(as === 'prose' && TYPOGRAPHIC.test(cell.drawn))
        ? 'foreign'
        : 'plain'
      : /[ \t\n]/.test(text[cell.at] ?? '')
        ? 'blank'
        : 'sign'
    const mark = markAt(cell.at)
    const begins = mark !== null && !begun.has(mark)
    if (mark !== null) begun.add(mark)
    const last = row.stretches.at(-1)
    if (last && last.look === look && last.mark === mark && !begins)
      row.stretches[row.stretches.length - 1] = { ...last, text: last.text + cell.drawn }
    else row.stretches.push({ text: cell.drawn, look, mark, begins })
    if (cell.drawn === '⏎') rows.push({ line: row.line + 1, stretches: [] })
  }
  // A break at the very end shows itself: no empty row is below it.
  if (rows.length > 1 && rows.at(-1)?.stretches.length === 0) rows.pop()
  return rows
}

/** Which mark a character is in: the narrowest one, where they lie in each other. */
function markFinder(text: string, marks: readonly Mark[]): (at: number) => number | null {
  if (marks.length === 0) return () => null
  const index = indexOfByte(text)
  const ranges = marks
    .map(({ start, end }, number) => ({ from: index(start), to: index(end), number }))
    .sort((a, b) => a.to - a.from - (b.to - b.from))
  return at => ranges.find(({ from, to }) => at >= from && at < to)?.number ?? null
}

/** Offsets in UTF-8 as positions in the string. */
export function indexOfByte(text: string): (byte: number) => number {
  if (!/[^\0-\x7f]/.test(text)) return byte => byte
  const positions: number[] = []
  let at = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    for (let i = 0; i < bytes; i++) positions.push(at)
    at += char.length
  }
  return byte => positions[byte] ?? at
}

/**
 * Words too long for a row are cut where a person sees that they were cut, not where it could be taken for a blank: at soft
 * hyphens, which the page draws as a sign of their own. They are ours; one in the text of an agent was named before.
 */
export const SOFT_CUT = '\u00ad'

export const withCuts = (drawn: string): string =>
  drawn.replace(/[^ ]{21,}/gu, word => (word.match(/‹[^›]*›|./gu) ?? []).join(SOFT_CUT))

/** The pieces between the cuts, for a text whose cuts the style sheet draws: whoever takes it from the page has it without them. */
export const cutPieces = (drawn: string): string[] => withCuts(drawn).split(SOFT_CUT)
