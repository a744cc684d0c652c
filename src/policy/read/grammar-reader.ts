import {
  type Assignment,
  type Command,
  type CommandNode,
  type For,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
} from 'unbash'
import type { LineReading, SimpleCommand } from '../model/reading.ts'
import { unsafeVariable } from '../model/request-env.ts'
import { readGrammarWord as readWord } from './grammar-word.ts'
import { knownBehind, MOVES, mayBeSet, STATUS, type Values } from './line-variables.ts'
import { uncoveredText } from './uncovered-text.ts'

/**
 * The one place that knows the grammar library, beside file-redirections.ts, which is for display. A parse is a hint, not a proof, so three checks are on top of it:
 * only node kinds from a positive list · every source character belongs to a token we understood, or lies between tokens
 * where only operators, blanks and comments may lie · every word is one literal argv element.
 */
export function readByGrammar(
  line: string,
  checks: GrammarChecks = ALL_CHECKS,
  values: Values = new Map(),
): LineReading {
  const script = parse(line)
  const found: Found = { line, commands: [], operators: [], tokens: [], values: new Map(values), given: new Set() }
  const problem = walkScript(script, found, checks)
  if (problem) return { gaveUp: problem, seen: found.commands }
  if (found.commands.length === 0) return { gaveUp: 'no command', seen: [] }
  const uncovered = checks.coverage ? uncoveredText(line, found.tokens) : null
  if (uncovered) return { gaveUp: `text the reader does not account for: ${uncovered}`, seen: found.commands }
  const given = [...found.given].sort()
  const { operators } = found
  const commands = given.length === 0 ? found.commands : found.commands.map(command => ({ ...command, given }))
  return { commands, operators }
}

/** Which of the checks are on. Always all; the test that breaks the gate on purpose is the one exception. */
export interface GrammarChecks {
  readonly positiveList: boolean
  readonly coverage: boolean
  readonly literalWords: boolean
}
const ALL_CHECKS: GrammarChecks = { positiveList: true, coverage: true, literalWords: true }

interface Found {
  readonly line: string
  readonly commands: SimpleCommand[]
  readonly operators: string[]
  readonly tokens: { pos: number; end: number }[]
  /** What variables stand for at this place of the line, and which of them the line gives a value. */
  readonly values: Map<string, string>
  readonly given: Set<string>
}

function walkScript(script: ParsedScript, found: Found, checks: GrammarChecks): string | null {
  if (script.errors?.[0]) return `something the grammar cannot read (${script.errors[0].message})`
  return walkStatements(script.commands, found, { checks, inLoop: false })
}

interface Where {
  readonly checks: GrammarChecks
  readonly inLoop: boolean
}

function walkStatements(statements: readonly Statement[], found: Found, where: Where): string | null {
  for (const statement of statements) {
    if (statement.background) return 'a & that runs it in the background'
    const command = statement.command
    const joined = command.type === 'AndOr' ? command.commands : [command]
    if (command.type === 'AndOr') found.operators.push(...command.operators)
    // Only what certainly runs gives a variable its value: the beginning of a statement, as long as it is joined by &&.
    const sure = where.inLoop ? 0 : joined.findIndex(node => !isSetting(node))
    for (const [i, node] of joined.entries()) {
      const operators = command.type === 'AndOr' ? command.operators : []
      if (
        isSetting(node) &&
        i < (sure < 0 ? joined.length : sure) &&
        operators.slice(0, i + 1).every(it => it === '&&')
      ) {
        const problem = takeSettings(node, found)
        if (problem) return problem
        continue
      }
      const problem = walkPipeline(node, found, where)
      if (problem) return problem
    }
  }
  return null
}

function walkPipeline(node: PipelineNode, found: Found, { checks, inLoop }: Where): string | null {
  const stages: readonly CommandNode[] = node.type === 'Pipeline' ? node.commands : [node]
  if (node.type === 'Pipeline') {
    if (node.prefixes.length > 0) return 'a ! or time before a pipeline'
    found.operators.push(...node.operators)
  }
  for (const [i, stage] of stages.entries()) {
    const loop = i > 0 || inLoop ? null : loopOf(stage)
    if (loop) {
      const problem = takeLoop(loop, found, checks)
      if (problem) return problem
    } else if (stage.type === 'Command') {
      const problem = takeCommand(stage, found, checks)
      if (problem) return problem
      const program = found.commands.at(-1)?.argv ?? []
      if (inLoop && MOVES.test(program[0] ?? '')) return 'a loop that changes the directory'
      knownBehind(program, found.values)
    } else if (checks.positiveList) return `a ${stage.type} construct`
  }
  return null
}

/** Assignments and nothing else, so that the rest of the line sees them. */
const isSetting = (node: PipelineNode): node is Command =>
  node.type === 'Command' && !node.name && node.suffix.length === 0 && node.prefix.length > 0

function takeSettings({ prefix }: Command, found: Found): string | null {
  const [only, ...more] = prefix
  if (only?.type !== 'Assignment' || more.length > 0) return 'an assignment'
  const { name, value, append, index } = only
  if (append || index || value.type === 'ArrayValue' || !mayBeSet(name)) return 'an assignment'
  const read = readWord(value, found.values)
  if ('problem' in read || read.glob || read.status || read.texts.length !== 1) return 'an assignment'
  if (read.expanded) found.given.add('$')
  found.tokens.push({ pos: only.pos, end: only.end })
  found.operators.push(`${name}=`)
  found.values.set(name, read.texts[0] ?? '')
  found.given.add(name)
  return null
}

interface Loop {
  readonly node: For
  readonly redirects: readonly Redirection[]
}

function loopOf(stage: CommandNode): Loop | null {
  if (stage.type === 'For') return { node: stage, redirects: [] }
  return stage.type === 'Redirected' && stage.command.type === 'For'
    ? { node: stage.command, redirects: stage.redirects }
    : null
}

/** A loop over literal words is its body once for each of them. */
function takeLoop({ node, redirects }: Loop, found: Found, checks: GrammarChecks): string | null {
  const { name, wordlist = [], body } = node
  const [first] = wordlist
  const last = wordlist.at(-1)
  if (!first || !last || !mayBeSet(name.text) || name.text !== name.value) return 'a For construct'

  const keywords = [
    { pos: node.pos, end: name.pos, shape: /^for[ \t]+$/ },
    { pos: name.end, end: first.pos, shape: /^[ \t]+in[ \t]+$/ },
    { pos: last.end, end: body.pos, shape: /^[ \t]*[;\n][ \t\n]*do[ \t\n]+$/ },
    { pos: body.end, end: node.end, shape: /^[ \t]*[;\n][ \t\n]*done$/ },
  ]
  if (keywords.some(({ pos, end, shape }) => !shape.test(found.line.slice(pos, end)))) return 'a For construct'

  found.tokens.push(...keywords, name, ...wordlist, ...redirects)
  if (!redirects.every(isHarmlessRedirection) || redirects.some(({ operator }) => operator === '<'))
    return 'a redirection to or from a file'
  found.operators.push('for', ...redirects.map(({ operator }) => operator))

  const items = wordlist.flatMap((word): readonly (string | null)[] => {
    const read = readWord(word, found.values)
    if ('problem' in read || read.glob || read.status) return [null]
    if (read.expanded) found.given.add('$')
    return read.texts
  })

  for (const [turn, item] of items.entries()) {
    if (item === null) return 'a loop over what is not literal'
    found.values.set(name.text, item)
    // The text is the same in every turn.
    const problem = walkStatements(body.commands, turn === 0 ? found : { ...found, tokens: [] }, {
      checks,
      inLoop: true,
    })
    if (problem) return problem
    if (found.commands.length > MOST_COMMANDS) return `more than ${MOST_COMMANDS} commands`
  }

  found.values.delete(name.text)
  found.given.add(name.text)
  return null
}

const MOST_COMMANDS = 64

function takeCommand(command: Command, found: Found, checks: GrammarChecks): string | null {
  const argv: string[] = []
  const globs: number[] = []
  const sets: string[] = []
  const inputs: string[] = []

  const pieces = [...command.prefix, ...(command.name ? [command.name] : []), ...command.suffix]
  for (const piece of pieces) {
    found.tokens.push({ pos: piece.pos, end: piece.end })
    if (piece.type === 'Assignment') {
      const set = settingOf(piece, found)
      if (set === null || !command.name) return 'an assignment'
      sets.push(set)
      continue
    }

    if (piece.type !== 'Word') {
      const input = inputOf(piece, found)
      if (input !== null) inputs.push(input)
      else if (!isHarmlessRedirection(piece)) return 'a redirection to or from a file'
      found.operators.push(piece.operator)
      continue
    }

    const read = readWord(piece, found.values)
    if ('problem' in read) {
      if (checks.literalWords) return read.problem
      argv.push(piece.value)
      continue
    }

    if (piece === command.name && (read.texts.length > 1 || read.expanded)) return 'a program name that is no literal'
    if (read.expanded) found.given.add('$')
    if (read.texts.length > 1) found.given.add('{')
    if (read.status) {
      if (argv[0] !== 'echo') return 'a $ expansion'
      found.operators.push(STATUS)
    }
    for (const text of read.texts) {
      if (read.glob && (read.texts.length === 1 || /[*?]/.test(text))) globs.push(argv.length)
      argv.push(text)
    }
  }

  if (argv.length === 0) return 'a redirection without a command'
  found.commands.push({
    argv,
    start: command.pos,
    end: command.end,
    globs,
    ...(sets.length > 0 && { sets }),
    ...(inputs.length > 0 && { inputs }),
  })
  return null
}

/** A variable that a request may set unasked, with one literal value. */
function settingOf({ name, value, append, index }: Assignment, { values, given }: Found): string | null {
  if (append || index || value.type === 'ArrayValue') return null
  const read = readWord(value, values)
  if ('problem' in read || read.glob || read.status || read.texts.length !== 1) return null
  if (read.expanded) given.add('$')
  const [text = ''] = read.texts
  return unsafeVariable({ [name]: text }) === null ? `${name}=${text}` : null
}

/** A file that is handed over as the input. */
function inputOf(redirection: Redirection, { values, given }: Found): string | null {
  if (redirection.type !== 'Redirect' || redirection.operator !== '<' || redirection.descriptor) return null
  const { target } = redirection
  if (!target || target.text === '/dev/null') return null
  const read = readWord(target, values)
  if ('problem' in read || read.glob || read.status || read.texts.length !== 1) return null
  if (read.expanded) given.add('$')
  return read.texts[0] ?? null
}

function isHarmlessRedirection(redirection: Redirection): boolean {
  if (redirection.type !== 'Redirect' || !redirection.target) return false
  const { descriptor, operator, target } = redirection
  if (descriptor && (descriptor.type !== 'FileDescriptor' || descriptor.value < 1 || descriptor.value > 2)) return false
  if (operator === '>&' && /^[12]$/.test(target.text)) return true
  return /^(?:>>?|>[&|]|&>>?|<)$/.test(operator) && target.text === '/dev/null'
}
