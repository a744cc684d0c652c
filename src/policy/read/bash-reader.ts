import type { LineReading, SimpleCommand } from '../model/reading.ts'
import { type GrammarChecks, readByGrammar } from './grammar-reader.ts'
import type { Values } from './line-variables.ts'
import { readLiterally } from './literal-reader.ts'

const DEEPEST_NESTING = 40

/**
 * Two independent readers; a line passes only where both see the same programs with the same words.
 * Where they differ, one of them is wrong about what the shell would run, and we do not know which.
 */
export function readBash(
  line: string,
  shell: 'bash' | 'sh' | 'zsh',
  { checks = ALL_CHECKS, values = new Map() }: { readonly checks?: BashChecks; readonly values?: Values } = {},
): LineReading {
  const known: Values = shell === 'zsh' ? new Map() : values
  const ours = readLiterally(line, shell, known)
  if (checks.secondOpinion && 'gaveUp' in ours) return ours
  if (nesting(line) > DEEPEST_NESTING) return { gaveUp: 'too many nested brackets', seen: [] }
  const theirs = readByGrammar(line, checks, known)
  if (!checks.secondOpinion || 'gaveUp' in ours || 'gaveUp' in theirs) return theirs
  if (!sameCommands(ours.commands, theirs.commands))
    return { gaveUp: 'something our two readers disagree about', seen: theirs.commands }
  return ours
}

export interface BashChecks extends GrammarChecks {
  readonly secondOpinion: boolean
}
const ALL_CHECKS: BashChecks = { positiveList: true, coverage: true, literalWords: true, secondOpinion: true }

function sameCommands(left: readonly SimpleCommand[], right: readonly SimpleCommand[]): boolean {
  return (
    left.length === right.length &&
    left.every((command, i) => {
      const other = right[i]
      return (
        other !== undefined &&
        sameList(command.argv, other.argv) &&
        sameList(command.globs, other.globs) &&
        sameList(command.given ?? [], other.given ?? []) &&
        sameList(command.sets ?? [], other.sets ?? []) &&
        sameList(command.inputs ?? [], other.inputs ?? [])
      )
    })
  )
}

const sameList = <T>(left: readonly T[], right: readonly T[]): boolean =>
  left.length === right.length && left.every((item, i) => item === right[i])

function nesting(line: string): number {
  let deepest = 0
  let depth = 0
  for (const char of line) {
    if (char === '(' || char === '{' || char === '[' || char === '`') depth += 1
    else if (char === ')' || char === '}' || char === ']') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
