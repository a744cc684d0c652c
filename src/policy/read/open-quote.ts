import type { Shell } from '../model/reading.ts'
import { readLiterally } from './literal-reader.ts'
import { OPEN_QUOTE } from './literal-word.ts'

/**
 * Whether no shell of this kind can read the line, because a quote in it is never closed. Sure of it: up to that quote
 * everything was read, so it is in no comment and no heredoc.
 */
export function hasOpenQuote(line: string, shell: Shell): boolean {
  if (shell !== 'bash' && shell !== 'sh' && shell !== 'zsh') return false
  const reading = readLiterally(line, shell)
  return 'gaveUp' in reading && reading.gaveUp === OPEN_QUOTE
}
