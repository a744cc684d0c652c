import { type Command, type CommandNode, type ParsedScript, parse, type Redirection, type Word } from 'unbash'
import type { LineReading, SimpleCommand } from './reading.ts'

/**
 * The one place that knows the grammar library. A parse is a hint, not a proof, so three checks stand on top of it:
 * only node kinds from a positive list · every source character belongs to a token we understood, or lies between tokens
 * where only operators, blanks and comments may lie · every word is one literal argv element.
 */
export function readByGrammar(line: string, checks: GrammarChecks = ALL_CHECKS): LineReading {
  const script = parse(line)
  const found: Found = { commands: [], operators: [], tokens: [] }
  const problem = walkScript(script, found, checks)
  if (problem) return { gaveUp: problem, seen: found.commands }
  if (found.commands.length === 0) return { gaveUp: 'no command', seen: [] }
  const uncovered = checks.coverage ? uncoveredText(line, found.tokens) : null
  if (uncovered) return { gaveUp: `text the reader does not account for: ${uncovered}`, seen: found.commands }
  return { commands: found.commands, operators: found.operators }
}

/** Which of the checks are on. Always all; the test that breaks the gate on purpose is the one exception. */
export interface GrammarChecks {
  readonly positiveList: boolean
  readonly coverage: boolean
  readonly literalWords: boolean
}
const ALL_CHECKS: GrammarChecks = { positiveList: true, coverage: true, literalWords: true }

interface Found {
  readonly commands: SimpleCommand[]
  readonly operators: string[]
  readonly tokens: { pos: number; end: number }[]
}

function walkScript(script: ParsedScript, found: Found, checks: GrammarChecks): string | null {
  if (script.errors?.[0]) return `something the grammar cannot read (${script.errors[0].message})`
  for (const statement of script.commands) {
    if (statement.background) return 'a & that runs it in the background'
    const command = statement.command
    const joined = command.type === 'AndOr' ? command.commands : [command]
    if (command.type === 'AndOr') found.operators.push(...command.operators)
    for (const node of joined) {
      const stages: readonly CommandNode[] = node.type === 'Pipeline' ? node.commands : [node]
      if (node.type === 'Pipeline') {
        if (node.prefixes.length > 0) return 'a ! or time before a pipeline'
        found.operators.push(...node.operators)
      }
      for (const stage of stages) {
        if (stage.type !== 'Command') {
          if (checks.positiveList) return `a ${stage.type} construct`
          continue
        }
        const problem = takeCommand(stage, found, checks)
        if (problem) return problem
      }
    }
  }
  return null
}

function takeCommand(command: Command, found: Found, checks: GrammarChecks): string | null {
  const argv: string[] = []
  const globs: number[] = []
  const pieces = [...command.prefix, ...(command.name ? [command.name] : []), ...command.suffix]
  for (const piece of pieces) {
    found.tokens.push({ pos: piece.pos, end: piece.end })
    if (piece.type === 'Assignment') return 'an assignment'
    if (piece.type !== 'Word') {
      if (!isHarmlessRedirection(piece)) return 'a redirection to or from a file'
      found.operators.push(piece.operator)
      continue
    }
    const problem = checks.literalWords ? notLiteral(piece) : null
    if (problem) return problem
    if (piece.parts?.some(part => part.type === 'Glob')) globs.push(argv.length)
    argv.push(piece.value)
  }
  if (argv.length === 0) return 'a redirection without a command'
  found.commands.push({ argv, start: command.pos, end: command.end, globs })
  return null
}

function isHarmlessRedirection(redirection: Redirection): boolean {
  if (redirection.type !== 'Redirect' || !redirection.target) return false
  const { descriptor, operator, target } = redirection
  if (descriptor && (descriptor.type !== 'FileDescriptor' || descriptor.value < 1 || descriptor.value > 2)) return false
  if (operator === '>&' && /^[12]$/.test(target.text)) return true
  return /^(?:>>?|>[&|]|&>>?|<)$/.test(operator) && target.text === '/dev/null'
}

function notLiteral(word: Word): string | null {
  for (const part of word.parts ?? []) {
    if (part.type === 'Literal' || part.type === 'SingleQuoted') continue
    if (part.type === 'Glob' && part.kind !== 'bracket') continue
    if (part.type === 'Glob' && part.parts?.every(inner => inner.type === 'Literal')) continue
    if (part.type === 'DoubleQuoted' && part.parts.every(inner => inner.type === 'Literal')) continue
    return `a ${part.type} in a word`
  }
  return /^~|[=:]~/.test(word.text) ? 'a home directory' : null
}

const BETWEEN_TOKENS = /^(?:[ \t\n]|&&|\|\|?&?|;|(?<=^|[ \t\n])#[^\n]*(?=\n|$))*$/

function uncoveredText(line: string, tokens: readonly { pos: number; end: number }[]): string | null {
  let at = 0
  for (const token of [...[...tokens].sort((a, b) => a.pos - b.pos), { pos: line.length, end: line.length }]) {
    const gap = line.slice(at, token.pos)
    if (token.pos < at || !BETWEEN_TOKENS.test(gap)) return JSON.stringify(gap.slice(0, 20))
    at = token.end
  }
  return null
}
