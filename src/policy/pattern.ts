import { readWords } from './words.ts'

/**
 * A rule as a person writes it: words, and `*` as the last one for any further words.
 * Matched word by word: `ls` does not allow `lsof`, `git status` does not allow `git stash`.
 */
export interface Pattern {
  readonly text: string
  readonly words: readonly string[]
  readonly openEnded: boolean
}

export type PatternReading = Pattern | { readonly problem: string }

export function readPattern(text: string): PatternReading {
  const open = /(^|\s)\*\s*$/.exec(text)
  const reading = readWords(open ? text.slice(0, open.index) : text)
  if ('gaveUp' in reading) return { problem: `has ${reading.gaveUp}; a pattern is plain words, and * only as the last` }
  if (reading.words.length === 0) return { problem: open ? 'would allow every command' : 'is empty' }
  return { text, words: reading.words.map(word => word.text), openEnded: open !== null }
}

export function matches(pattern: Pattern, argv: readonly string[]): boolean {
  if (pattern.openEnded ? argv.length < pattern.words.length : argv.length !== pattern.words.length) return false
  return pattern.words.every((word, i) => word === argv[i])
}
