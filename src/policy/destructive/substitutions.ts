import type { Effort } from '../model/effort.ts'
import { printed, scriptOf } from './printed-text.ts'
import type { RoughCommand } from './rough-command.ts'

/** The text of `$(…)`, `<(…)` or a pair of backticks at `start`; `shown` stands for what it prints where nobody knows that. */
export function substitutionAt(
  text: string,
  start: number,
  effort: Effort,
): { inner: string; end: number; shown: string } | null {
  if (text[start] === '`') {
    const close = closingAt(text, start, '`', effort)
    return { inner: text.slice(start + 1, close).replace(/\\([`\\$])/g, '$1'), end: close + 1, shown: '`…`' }
  }
  if (text[start + 1] !== '(') return null
  const close = closingAt(text, start, ')', effort)
  return { inner: text.slice(start + 2, close), end: close + 1, shown: '$(…)' }
}

/** Where the substitution or quote that starts at `start` is closed; the end of the text where it is not. */
export function closingAt(text: string, start: number, closer: ')' | '`' | "'", effort: Effort): number {
  let depth = 0
  for (let at = start + (closer === '`' ? 1 : 2); at < text.length; at += 1) {
    if (!effort.spend(1)) break
    const char = text[at]
    if (char === '\\') at += 1
    else if (char === closer && depth === 0) return at
    else if (closer === ')' && char === '(') depth += 1
    else if (closer === ')' && char === ')') depth -= 1
  }
  return text.length
}

/** What the commands of a substitution print, where that is plain to see, or the script that prints it. */
export function printedBy(commands: readonly RoughCommand[]): { output: string | null; script: string | null } {
  const last = commands.at(-1)
  if (!last) return { output: null, script: null }
  // `$(cd ~; pwd)`
  if (last.argv[0] === 'pwd')
    return { output: commands.findLast(({ argv }) => argv[0] === 'cd')?.argv[1] ?? null, script: null }
  const script = scriptOf(last.argv)
  return { output: script === null ? printed(last) : null, script }
}
