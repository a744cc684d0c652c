import { basename, isAbsolute, normalize, resolve } from 'node:path'
import { roughScan } from '../destructive/rough-scan.ts'
import type { SimpleCommand } from '../model/reading.ts'
import type { Facts } from '../rules/rules.ts'
import { bothEnds, type Line } from './line.ts'
import { readLine } from './read-line.ts'

/** One command of a line without its dress: no quotes, no wrapper, no shell around it. */
interface PlainStep {
  readonly name: string
  /** The file it stands for; null: not known. */
  readonly path: string | null
  readonly cwd: string
  readonly words: readonly string[]
  /** Which words a shell would expand. */
  readonly globs: readonly number[]
  readonly sets: readonly string[]
  readonly inputs: readonly string[]
  /** The operator in front of it. */
  readonly joinedBy: string
}

/** What a line comes to, however it is written. */
export interface PlainReading {
  readonly steps: readonly PlainStep[]
  /** Every part of it was read. If not, `steps` are what could be made out. */
  readonly isWhole: boolean
  /** What the innermost shell would read. */
  readonly text: string
  readonly cwd: string
  /** Variables that the request sets. */
  readonly env: readonly string[]
}

type SeenFacts = Pick<Facts, 'program' | 'realPath' | 'home'>

const DEEPEST = 5
/** They run the words behind them as they are. */
const WRAPPERS = new Set('env command builtin exec nohup setsid time nice ionice stdbuf busybox noglob'.split(' '))
const SHELLS = new Set('sh bash dash ash zsh ksh'.split(' '))

/** Reads a line down to the programs that would run. Pure but for `facts`, which say what a name stands for. */
export function plainReading(line: Line, facts: SeenFacts): PlainReading {
  const { commands, isWhole } = commandsOf(line, facts)
  const env = Object.entries(line.env ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  const inner = stepsOf(commands, { line, facts, env, depth: 0 })
  return {
    steps: inner.steps,
    isWhole: isWhole && inner.isWhole,
    text: inner.text ?? [line.command, ...(line.args ?? [])].join(' ').trim(),
    cwd: line.cwd,
    env,
  }
}

/**
 * Whether `asked` is what was declined, in whatever dress, or holds it as a part. Words that name files are compared by where they
 * lead, and as they are written: the same words in another directory are the same command there. What nobody could read is the same
 * only if its text is. Two lines that differ in a variable are two commands.
 */
export function isSameCommand(declined: PlainReading, asked: PlainReading): boolean {
  if (!declined.isWhole || declined.steps.length === 0)
    return declined.text === asked.text && JSON.stringify(declined.env) === JSON.stringify(asked.env)
  const last = asked.steps.length - declined.steps.length
  for (let from = 0; from <= last; from++)
    if (declined.steps.every((step, i) => isSameStep(step, asked.steps[from + i], i > 0))) return true
  return false
}

function isSameStep(one: PlainStep, other: PlainStep | undefined, joined: boolean): boolean {
  if (!other || one.name !== other.name) return false
  if (one.path !== null && other.path !== null && one.path !== other.path) return false
  if (joined && one.joinedBy !== other.joinedBy) return false
  const lists = ['globs', 'sets', 'inputs'] as const
  if (lists.some(list => JSON.stringify(one[list]) !== JSON.stringify(other[list]))) return false
  return (
    one.words.length === other.words.length &&
    one.words.every((word, i) => {
      const its = other.words[i] as string
      return spelled(word) === spelled(its) || placed(word, one.cwd) === placed(its, other.cwd)
    })
  )
}

/** `./x`, `x/` and `x` are one spelling. */
function spelled(word: string): string {
  const [option, value] = split(word)
  if (value === '') return option
  const plain = normalize(value)
  return option + (plain.length > 1 ? plain.replace(/\/$/, '') : plain)
}

/** The same as a place, seen from a directory: also words that name none, which then differ as they did before. */
function placed(word: string, cwd: string): string {
  const [option, value] = split(word)
  return value === '' ? option : `${option}${resolve(cwd, value)}`
}

/** `--file=x` is an option and a value; `-x` is an option alone. */
function split(word: string): readonly [string, string] {
  if (!word.startsWith('-')) return ['', word]
  const at = word.indexOf('=') + 1
  return at === 0 ? [word, ''] : [word.slice(0, at), word.slice(at)]
}

/** `NAME=value` in front, in plain words: the readers take only few names there. */
const ASSIGNED = /^\s*([A-Za-z_]\w*=)(?:([\w./:@%+,-]*)|'([^']*)'|"([^"$`\\]*)")\s+(?=\S)/

/** The commands of a line. What could not be read to its end still shows most of what it would run. */
function commandsOf(line: Line, facts: SeenFacts): { commands: readonly SimpleCommand[]; isWhole: boolean } {
  const sets: string[] = []
  let { command } = line
  for (let found = line.args ? null : ASSIGNED.exec(command); found; found = ASSIGNED.exec(command)) {
    const [whole, name = '', ...values] = found
    sets.push(name + (values.find(value => value !== undefined) ?? ''))
    command = command.slice(whole.length)
  }

  const reading = readLine({ ...line, command }, facts.home, new Set())
  if (!('gaveUp' in reading)) {
    const [first, ...others] = reading.commands
    const commands = first ? [{ ...first, sets: [...sets, ...(first.sets ?? [])] }, ...others] : []
    return { commands, isWhole: true }
  }
  const scanned = roughScan(bothEnds(command)).map(({ argv }) => ({ argv, start: 0, end: 0, globs: [], sets }))
  return { commands: [...reading.seen, ...scanned], isWhole: false }
}

interface StepsAround {
  readonly line: Line
  readonly facts: SeenFacts
  readonly env: readonly string[]
  readonly depth: number
}

interface Steps {
  readonly steps: readonly PlainStep[]
  readonly isWhole: boolean
  /** What a shell that is all of the line would read; null: it is no such line. */
  readonly text: string | null
}

function stepsOf(commands: readonly SimpleCommand[], around: StepsAround): Steps {
  const steps: PlainStep[] = []
  let { cwd } = around.line
  let isWhole = true
  let text: string | null = null
  commands.forEach((command, i) => {
    const moved = i < commands.length - 1 ? directoryOf(command, cwd) : null
    if (moved !== null) {
      cwd = moved
      return
    }
    const found = undressed(command, { ...around, line: { ...around.line, cwd } })
    const [first, ...others] = found.steps
    if (first) steps.push({ ...first, joinedBy: command.joinedBy ?? '' }, ...others)
    if (!found.isWhole) isWhole = false
    if (commands.length === 1) ({ text } = found)
  })
  return { steps, isWhole, text }
}

/** `cd x &&` says only where the rest runs. */
function directoryOf({ argv, globs }: SimpleCommand, cwd: string): string | null {
  const [name, to, more] = argv
  return name === 'cd' && to !== undefined && more === undefined && !to.startsWith('-') && globs.length === 0
    ? resolve(cwd, to)
    : null
}

function undressed(command: SimpleCommand, around: StepsAround): Steps {
  const { line, facts, env, depth } = around
  let { argv } = command
  let cut = 0
  const sets = [...env, ...(command.sets ?? [])]
  while (argv.length > 1) {
    const next = behindWrapper(argv)
    if (next === null) break
    sets.push(...next.sets)
    cut += argv.length - next.argv.length
    argv = next.argv
  }

  const script = depth < DEEPEST ? scriptIn(argv) : null
  if (script !== null) {
    const read = commandsOf({ ...line, command: script, args: undefined, shell: 'bash' }, facts)
    const inner = stepsOf(read.commands, { ...around, env: sets, depth: depth + 1 })
    return { ...inner, isWhole: read.isWhole && inner.isWhole, text: inner.text ?? script.trim() }
  }

  const [program = '', ...words] = argv
  const globs = command.globs.map(at => at - cut).filter(at => at > 0)
  const inputs = (command.inputs ?? []).map(file => resolve(line.cwd, file))
  const named = programOf(program, line.cwd, facts)
  const step = { ...named, cwd: line.cwd, words, globs, sets: [...new Set(sets)].sort(), inputs, joinedBy: '' }
  return { steps: [step], isWhole: true, text: null }
}

/** What a wrapper without options of its own runs, and which variables it sets for that; null: it is none, or has options. */
function behindWrapper(argv: readonly string[]): { argv: readonly string[]; sets: readonly string[] } | null {
  const name = basename(argv[0] ?? '')
  const isTimed = name === 'timeout' && /^\d+(\.\d+)?[smhd]?$/.test(argv[1] ?? '')
  if (!isTimed && !WRAPPERS.has(name)) return null
  let at = isTimed ? 2 : 1
  const sets: string[] = []
  if (name === 'env') for (; /^[A-Za-z_]\w*=/.test(argv[at] ?? ''); at++) sets.push(argv[at] as string)
  if (argv[at] === '--') at += 1
  const rest = argv.slice(at)
  return rest.length === 0 || rest[0]?.startsWith('-') ? null : { argv: rest, sets }
}

/** `sh -c 'text'` and `eval text`: the text. With words behind the text it would be another one. */
function scriptIn(argv: readonly string[]): string | null {
  const [program = '', option = '', text, more] = argv
  const name = basename(program)
  if (name === 'eval' && argv.length > 1) return argv.slice(1).join(' ')
  return SHELLS.has(name) && /^-[a-z]*c$/.test(option) && text !== undefined && more === undefined ? text : null
}

function programOf(word: string, cwd: string, facts: SeenFacts): Pick<PlainStep, 'name' | 'path'> {
  if (word.includes('/')) return { name: basename(word), path: facts.realPath(resolve(cwd, word), '/') }
  const found = facts.program(word)
  const path = 'path' in found && isAbsolute(found.path) ? facts.realPath(found.path, '/') : null
  return { name: word, path }
}
