import {
  type Command,
  type CommandNode,
  type DoubleQuotedChild,
  parse,
  type Redirection,
  type Statement,
  type Word,
  type WordPart,
} from 'unbash'
import type { LineReading } from '../model/reading.ts'
import { readBash } from './bash-reader.ts'
import type { Values } from './line-variables.ts'

/** A redirection that opens a file for writing. */
export interface FileRedirection {
  readonly operator: string
  /** Where it is in the line, in UTF-16 indexes. */
  readonly at: number
  /** As it is written. */
  readonly text: string
  /** The file it stands for; null: nobody can say before it runs. */
  readonly path: string | null
}

/** A line as both readers see it, and what they do not take: which files it opens for writing, and which variables it uses. */
export interface OpenedFiles {
  readonly reading: LineReading
  readonly redirections: readonly FileRedirection[]
  readonly variables: readonly string[]
}

/**
 * Reads a line for display, never for approval. Redirections into files and here-documents without substitutions are taken out, so that
 * both readers can look at the rest: what they do not agree about is not known here either.
 */
export function readOpenedFiles(line: string, shell: 'bash' | 'sh' | 'zsh', values: Values): OpenedFiles {
  const script = parse(line)
  const problem = script.errors?.[0]
  if (problem) {
    const gaveUp = `something the grammar cannot read (${problem.message})`
    return { reading: { gaveUp, seen: [] }, redirections: [], variables: [] }
  }

  const seen: SeenRedirections = { redirections: [], variables: new Set() }
  for (const statement of script.commands) lookAt(statement, seen)
  const cut = seen.redirections.flatMap(cutOf)
  const rest = cut.reduce(
    (text, { pos, end }) => text.slice(0, pos) + blank(text.slice(pos, end)) + text.slice(end),
    line,
  )
  const redirections = seen.redirections.flatMap(each => written(each, { line, shell, values }))
  return { reading: readBash(rest, shell, { values }), redirections, variables: [...seen.variables] }
}

interface SeenRedirections {
  readonly redirections: Redirection[]
  readonly variables: Set<string>
}

interface Span {
  readonly pos: number
  readonly end: number
}

/** Line breaks stay: they end commands. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

function lookAt({ command }: Statement, seen: SeenRedirections): void {
  const joined = command.type === 'AndOr' ? command.commands : [command]
  for (const node of joined)
    for (const stage of node.type === 'Pipeline' ? node.commands : [node]) lookAtStage(stage, seen)
}

/** Only simple commands: what is in a loop or a function the readers take whole or not at all. */
function lookAtStage(stage: CommandNode, seen: SeenRedirections): void {
  if (stage.type !== 'Command') return
  const { name, prefix, suffix }: Command = stage
  for (const piece of [...prefix, ...(name ? [name] : []), ...suffix]) {
    if (piece.type === 'Word') namesIn(piece, seen)
    else if (piece.type !== 'Assignment') {
      seen.redirections.push(piece)
      if (piece.type === 'Redirect' && piece.target) namesIn(piece.target, seen)
    }
  }
}

function namesIn({ parts }: Word, seen: SeenRedirections): void {
  const look = (part: WordPart | DoubleQuotedChild): void => {
    if (part.type === 'SimpleExpansion') seen.variables.add(part.text.slice(1))
    if (part.type === 'ParameterExpansion') seen.variables.add(part.parameter)
    if (part.type === 'DoubleQuoted') for (const inner of part.parts) look(inner)
  }
  for (const part of parts ?? []) look(part)
}

const OPENS = /^(?:>>?|>\||&>>?|<>|>&)$/
const STREAM = /^(?:\d+-?|-)$/

const opensFile = (redirection: Redirection): boolean =>
  redirection.type === 'Redirect' &&
  redirection.target !== undefined &&
  OPENS.test(redirection.operator) &&
  !(redirection.operator === '>&' && STREAM.test(redirection.target.text)) &&
  redirection.target.text !== '/dev/null'

/** What is taken out before the readers look: only what leaves the words of the command as they are. */
function cutOf(redirection: Redirection): Span[] {
  if (opensFile(redirection)) return [redirection]
  if (redirection.type !== 'HereDoc' || !redirection.closing) return []
  const { body, closing, delimiter } = redirection
  // What it prints is text; a substitution in it would be a command of its own.
  if (delimiter?.quoted !== true && /[`$\\]/.test(body.text)) return []
  return [redirection, { pos: Math.min(body.pos, closing.pos), end: closing.end }]
}

function written(
  redirection: Redirection,
  { line, shell, values }: { readonly line: string; readonly shell: 'bash' | 'sh' | 'zsh'; readonly values: Values },
): FileRedirection[] {
  if (redirection.type !== 'Redirect' || !redirection.target || !opensFile(redirection)) return []
  const { operator, pos, target } = redirection
  const text = line.slice(target.pos, target.end)
  // As the word of a command both readers say what it stands for.
  const reading = readBash(`: ${text}`, shell, { values })
  const [command, ...more] = 'gaveUp' in reading ? [] : reading.commands
  const [, path, ...others] = command?.argv ?? []
  const isOne = more.length === 0 && others.length === 0 && command?.globs.length === 0
  return [{ operator, at: pos, text, path: isOne ? (path ?? null) : null }]
}
