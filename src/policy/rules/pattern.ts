import type { Shell } from '../model/reading.ts'
import { readLiterally } from '../read/literal-reader.ts'
import { readPowerShell } from '../read/powershell-reader.ts'

/**
 * A rule as a person writes it: a list of words; a final `*` allows any further arguments.
 * Matched word by word: `ls` does not allow `lsof`, `git status` does not allow `git stash`.
 */
export interface Pattern {
  readonly text: string
  readonly words: readonly string[]
  readonly openEnded: boolean
}

export type PatternReading = Pattern | { readonly problem: string }

export function readPattern(text: string, shell: Shell = 'bash'): PatternReading {
  const open = /(^|\s)\*\s*$/.exec(text)
  const start = open ? text.slice(0, open.index) : text
  if (start.trim() === '') return { problem: open ? 'would allow every command' : 'is empty' }
  const reading =
    shell === 'powershell' ? readPowerShell(start) : readLiterally(start, shell === 'cmd' ? 'bash' : shell)
  if ('gaveUp' in reading)
    return { problem: `has ${reading.gaveUp}; a pattern is plain words, and only the last may be *` }
  const [command, second] = reading.commands
  if (!command || second || (reading.operators ?? []).length > 0)
    return { problem: 'has an operator; a pattern is one command' }
  if (command.globs.length > 0) return { problem: 'has an unquoted wildcard; * may be only the last word' }
  return { text, words: command.argv, openEnded: open !== null }
}

/** The program word of Windows shells compares without case, and so do the names of their parameters. */
export function matches(pattern: Pattern, argv: readonly string[], shell: Shell = 'bash'): boolean {
  if (pattern.openEnded ? argv.length < pattern.words.length : argv.length !== pattern.words.length) return false
  const windows = shell === 'powershell' || shell === 'cmd'
  return pattern.words.every((word, i) => {
    const given = argv[i] as string
    return word === given || (windows && i === 0 && word.toLowerCase() === given.toLowerCase())
  })
}
