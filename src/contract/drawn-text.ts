/**
 * Draws text so that different text never looks the same: what cannot be seen, or looks like something else, becomes its
 * code point.
 *
 *   "git status\u200b"   →   git status‹U+200B›
 *
 * Pure. One cell per character of the source, so that marks can be put under it.
 */
export interface Cell {
  /** UTF-16 index of the character in the source. */
  readonly at: number
  readonly drawn: string
  readonly columns: number
  /** Not the character itself but a sign for it. */
  readonly sign: boolean
}

/**
 * What kind of text it is. command: every sign that could pass for one of the shell's is named · posix: but those in quotes of
 * a line for such a shell, where they can be nothing but text · prose: nothing reads it but a person.
 */
export type DrawAs = 'command' | 'posix' | 'prose'

export function drawText(text: string, as: DrawAs = 'command'): Cell[] {
  const cells: Cell[] = []
  let at = 0
  const confusing = confusingWords(text)
  const quoted = as === 'posix' && TYPOGRAPHIC.test(text) ? quotedIn(text) : null
  for (const char of text) {
    const isProse = TYPOGRAPHIC.test(char) && (as === 'prose' || quoted?.has(at) === true)
    const drawn = isProse ? char : drawCharacter(char, text, at, confusing)
    cells.push({ at, drawn, columns: columnsOf(drawn), sign: drawn !== char })
    at += char.length
  }
  return cells
}

/** What people and models write in sentences, and what a shell could be mistaken about: dashes, quotes, dots. */
export const TYPOGRAPHIC = /[–—‘’“”„…«»•]/

/** Positions inside the quotes of the line. From where a quote may hold a command on, nothing counts as inside. */
function quotedIn(text: string): ReadonlySet<number> {
  const inside = new Set<number>()
  let quote: string | null = null
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '`' || (char === '$' && text[at + 1] === '(' && quote !== "'")) return inside
    if (quote === null) {
      if (char === '\\') at += 1
      else if (char === '"' || char === "'") quote = char
      // A text of its own rules begins here: quotes in it are none.
      else if (char === '<' && text[at + 1] === '<') return inside
    } else if (char === quote) quote = null
    else if (char === '\\' && quote === '"') at += 1
    else inside.add(at)
  }
  // A quote that never closes holds nothing.
  return quote === null ? inside : new Set()
}

export const drawnText = (text: string): string =>
  drawText(text)
    .map(cell => cell.drawn)
    .join('')

function drawCharacter(char: string, text: string, at: number, confusing: ReadonlySet<number>): string {
  if (char === '\n') return '⏎'
  if (char === '\t') return '⇥'
  // One blank between two words is plain; at an edge or in a row it could hide.
  if (char === ' ') return /[^ ]/.test(text[at - 1] ?? '') && /[^ ]/.test(text[at + 1] ?? '') ? ' ' : '·'
  if (char >= '!' && char <= '~') return char
  if (PLAINLY_ITSELF.test(char) && !LOOKS_LIKE_ANOTHER.test(char) && !confusing.has(at)) return char
  const code = char.codePointAt(0) ?? 0
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
}

// Letters, digits, pictures, and the signs that scripts print all the time. Other punctuation and symbols too often look
// like ASCII ones, marks pile up on a letter.
const PLAINLY_ITSELF = /^[\p{L}\p{N}\p{Extended_Pictographic}✓✗→←↑↓]$/u
const LOOKS_LIKE_ANOTHER =
  /[\u00aa\u00ba\u01c0-\u01c3\u02b0-\u02ff\u115f\u1160\u17b4\u17b5\u2070-\u209f\u2100-\u218f\u2460-\u24ff\u3164\ua789\uf900-\ufaff\ufb00-\ufdff\ufe70-\ufeff\uff00-\uffef]|[\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1ff}\u{2f800}-\u{2fa1f}]/u
// Cyrillic, Greek, Armenian and Cherokee letters with a Latin twin.
const TWIN = /[аеорсухіјѕһԁԛԝгпткмнвьАВЕЅЗІЈКМНОРСТУХҮԌԐԜαβγεικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧոսօցհզՏՍՕᎠᎡᎢᎪᎳᎻᏃᏞᏟᏢᏦᏴıɡɑ]/u

/** é beside a Cyrillic а is as Latin as e is, and a mark says nothing about the letter below it. */
const LATIN_OR_MARK = /[\p{Script=Latin}\p{M}]/u

/** Positions of the letters of words that could be read as Latin: all of their foreign letters have a twin, or scripts are mixed. */
function confusingWords(text: string): ReadonlySet<number> {
  const found = new Set<number>()
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    if (!/[^A-Za-z]/.test(word) || !TWIN.test(word)) continue
    const unmistakable = [...word].some(char => !TWIN.test(char) && !LATIN_OR_MARK.test(char))
    if (unmistakable && !/\p{Script=Latin}/u.test(word)) continue
    for (let i = 0; i < word.length; i++) found.add(index + i)
  }
  return found
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

export function columnsOf(drawn: string): number {
  let columns = 0
  for (const char of drawn) columns += WIDE.test(char) ? 2 : 1
  return columns
}
