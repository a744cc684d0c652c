/**
 * Reads a line of literal words: blanks between them, quotes around or inside them, nothing else.
 *
 *   git log --format "%h %s" -3   →   git · log · --format · %h %s · -3
 *
 * Whatever a shell would treat in a special way makes the reader give up. Pure.
 */
export interface Word {
  readonly text: string
  /** Byte range in the line, quotes included. */
  readonly start: number
  readonly end: number
}

export type Reading = { readonly words: readonly Word[] } | { readonly gaveUp: string }

const SPECIAL: Readonly<Record<string, string>> = {
  '|': 'a pipe',
  '&': 'an & operator',
  ';': 'a ; separator',
  '>': 'a redirection',
  '<': 'a redirection',
  '`': 'a command substitution',
  $: 'a $ expansion',
  '(': 'a parenthesis',
  ')': 'a parenthesis',
  '{': 'a brace',
  '}': 'a brace',
  '*': 'an unquoted wildcard',
  '?': 'an unquoted wildcard',
  '[': 'an unquoted wildcard',
  ']': 'an unquoted wildcard',
  '!': 'a history or negation mark',
  '\n': 'a line break',
  '\\': 'a backslash',
}
const ONLY_AT_START: Readonly<Record<string, string>> = {
  '~': 'a home directory',
  '#': 'a comment',
  '=': 'an =command',
}
// Controls, and characters that look like nothing or turn the line around on a screen.
const UNPRINTABLE = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Cs}]|\u034f/u

export function readWords(line: string): Reading {
  if (UNPRINTABLE.test(line)) return { gaveUp: 'an invisible or control character' }
  const words: Word[] = []
  const byteAt = byteOffsets(line)
  let at = 0
  while (at < line.length) {
    if (line[at] === ' ' || line[at] === '\t') {
      at += 1
      continue
    }
    const word = readWord(line, at)
    if ('gaveUp' in word) return word
    if (words.length === 0 && /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(line.slice(at)))
      return { gaveUp: 'an assignment before the command' }
    words.push({ text: word.text, start: byteAt(at), end: byteAt(word.end) })
    at = word.end
  }
  return { words }
}

function readWord(line: string, start: number): { text: string; end: number } | { gaveUp: string } {
  let text = ''
  let at = start
  while (at < line.length) {
    const char = line[at] as string
    if (char === ' ' || char === '\t') break
    if (char === "'" || char === '"') {
      const close = line.indexOf(char, at + 1)
      if (close < 0) return { gaveUp: 'a quote that is not closed' }
      const inside = line.slice(at + 1, close)
      if (char === '"' && /[$`\\!]/.test(inside)) return { gaveUp: 'an expansion or escape inside double quotes' }
      text += inside
      at = close + 1
      continue
    }
    const special = SPECIAL[char] ?? (at === start ? ONLY_AT_START[char] : undefined)
    if (special) return { gaveUp: special }
    text += char
    at += 1
  }
  return { text, end: at }
}

/** Index in the string → offset in its UTF-8 bytes, asked for with growing indexes. */
export function byteOffsets(line: string): (index: number) => number {
  let known = 0
  let bytes = 0
  return index => {
    bytes += Buffer.byteLength(line.slice(known, index))
    known = index
    return bytes
  }
}
