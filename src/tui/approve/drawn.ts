/**
 * Text of an agent as a person may trust their eyes with it: every character is either itself or a name in ⟨ ⟩, and ⟨ is
 * never itself. Two different texts are therefore never drawn alike, and nothing in a text can move the cursor, hide,
 * overlay or turn round what is beside it.
 */

// Controls, formats, private and unassigned characters; separators but the plain space; marks that overlay their neighbour.
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{M}\p{Default_Ignorable_Code_Point}\u2800⟨]|(?! )\p{Zs}/u
// Written from the right, these would rearrange the line around them.
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const NAMES: Readonly<Record<string, string>> = {
  '\t': 'TAB',
  '\n': 'LF',
  '\r': 'CR',
  '\x07': 'BEL',
  '\x1b': 'ESC',
  '\0': 'NUL',
  '\x7f': 'DEL',
}
// Longer runs of spaces could push the rest of a line out of sight.
const MOST_SPACES = 8

export interface DrawnRow {
  /** The line's number, or null where a long line goes on. */
  readonly line: number | null
  readonly text: string
}

/** The whole text in rows of at most `columns`; a line break of the text starts a numbered line, a wrap does not. */
export function drawnRows(text: string, columns: number): DrawnRow[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      wrapped(drawn(line), columns).map((row, at) => ({ line: at === 0 ? i + 1 : null, text: row })),
    )
}

/** For a place that has one row: line breaks are named as well. */
export function drawn(text: string): string {
  let shown = ''
  for (const { 0: piece, index } of text.matchAll(/ +|[^ ]/gsu)) {
    const spaces = piece[0] === ' '
    const atTheEnd = index + piece.length === text.length
    if (spaces) shown += piece.length > MOST_SPACES || atTheEnd ? `⟨${piece.length} SPACES⟩` : piece
    else shown += HIDDEN.test(piece) || RIGHT_TO_LEFT.test(piece) ? named(piece) : piece
  }
  return shown
}

const named = (char: string): string =>
  `⟨${NAMES[char] ?? `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`}⟩`

/** Columns a terminal gives to a text that was drawn. */
export function widthOf(text: string): number {
  let width = 0
  for (const char of text) width += WIDE.test(char) ? 2 : 1
  return width
}

/** Cut into rows; never inside a name in ⟨ ⟩ unless the row is too narrow for it. */
export function wrapped(text: string, columns: number): string[] {
  const rows: string[] = []
  let row = ''
  let width = 0
  for (const [piece] of text.matchAll(/⟨[^⟩]*⟩|./gsu)) {
    const more = widthOf(piece)
    if (width + more > columns && row !== '') {
      rows.push(row)
      row = ''
      width = 0
    }
    row += piece
    width += more
  }
  rows.push(row)
  return rows
}

/** Words of our own, cut between words. */
export function proseRows(text: string, columns: number): string[] {
  const rows: string[] = []
  for (const word of text.split(' ')) {
    const row = rows.at(-1)
    if (row !== undefined && widthOf(row) + 1 + widthOf(word) <= columns) rows[rows.length - 1] = `${row} ${word}`
    else rows.push(word)
  }
  return rows.flatMap(row => wrapped(row, columns))
}

/** Letters that are not ASCII: some look like another one, so they are pointed out. */
export const foreignLetters = (text: string): string[] => [
  ...new Set([...text].filter(char => char > '\x7f' && !HIDDEN.test(char) && !RIGHT_TO_LEFT.test(char))),
]
