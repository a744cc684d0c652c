import { parseArgs } from 'node:util'
import { closestWord } from '../../base/closest-word.ts'
import { toType } from '../../base/own-command.ts'
import { flagOf, SETTING_NAMES } from '../../config/env.ts'
import { commandHelp, generalHelp } from './command-help.ts'
import type { CommandRow } from './command-row.ts'
import { COMMANDS, commandNamed, START } from './commands.ts'

/** What was typed behind the program's name. */
export type CommandLine =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string }
  | {
      readonly kind: 'run'
      readonly command: CommandRow
      readonly words: readonly string[]
      readonly options: Readonly<Record<string, string | boolean | undefined>>
    }

const SETTING_FLAGS = SETTING_NAMES.map(flagOf)

/** Reads the command line, or says in a sentence what is wrong with it and what was probably meant. */
export function readCommandLine(argv: readonly string[], version: string): CommandLine {
  const { words, given, early } = split(argv)
  const [first, ...rest] = words
  const name = first ?? START

  // Questions about the program itself.
  if (name === 'version' || given.some(({ name }) => name === 'version')) return { kind: 'say', text: version }
  const wantsHelp = given.some(({ name }) => name === 'help')
  if (name === 'help') return helpOn(rest[0], version)
  if (wantsHelp) return helpOn(first, version)

  const command = commandNamed(name)
  if (command === null) return { kind: 'wrong', message: noSuchCommand(name) }
  if (early !== null) return { kind: 'wrong', message: early }

  // Every option must be one of this command, with a value exactly where one belongs.
  const options: Record<string, string | boolean> = {}
  for (const { name: option, value } of given) {
    const problem = problemWith(command, option, value)
    if (problem !== null) return { kind: 'wrong', message: problem }
    options[option] = value ?? true
  }
  if (command.bareIsHelp && rest.length === 0 && !command.options.some(({ name }) => name in options))
    return { kind: 'say', text: commandHelp(command) }
  const verb = rest[0]
  if (command.verbs && verb !== undefined && !command.verbs.includes(verb))
    return { kind: 'wrong', message: noSuchVerb(command.name, verb, command.verbs) }
  if (rest.length > command.mostOperands)
    return { kind: 'wrong', message: tooMany(command, rest[command.mostOperands] ?? '') }
  return { kind: 'run', command, words: rest, options }
}

interface Given {
  readonly name: string
  readonly value: string | undefined
}

/** Words and options as they were typed, before anybody knows which command they belong to. */
function split(argv: readonly string[]): { words: string[]; given: Given[]; early: string | null } {
  const valued = COMMANDS.flatMap(({ options }) => options.filter(({ value }) => value !== null))
  const known = [...SETTING_FLAGS, ...valued.map(({ name }) => name)]
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      ...Object.fromEntries(known.map(name => [name, { type: 'string' as const }])),
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  })
  const words: string[] = []
  const given: Given[] = []
  let early: string | null = null
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    // `--directory --headless` forgot the directory.
    const forgotten = token.inlineValue === false && token.value.startsWith('--')
    given.push({ name: token.name, value: forgotten ? undefined : token.value })
    if (token.rawName.startsWith('-') && !token.rawName.startsWith('--') && !['help', 'version'].includes(token.name))
      early ??= `There is no option "${token.rawName}".`
  }
  return { words, given, early }
}

function problemWith(command: CommandRow, option: string, value: string | undefined): string | null {
  const row = command.options.find(({ name }) => name === option)
  if (row === undefined && !SETTING_FLAGS.includes(option)) {
    const meant = closestWord(option, [...command.options.map(({ name }) => name), ...SETTING_FLAGS, 'help', 'version'])
    return `"${command.name}" has no option "--${option}".${didYouMean(meant && `--${meant}`)} See "${command.name} --help".`
  }
  const wantsValue = row === undefined || row.value !== null
  if (wantsValue && (value === undefined || value === ''))
    return `"--${option}" needs a value: --${option} ${row?.value ? `<${row.value}>` : '<value>'}.`
  if (!wantsValue && value !== undefined) return `"--${option}" takes no value.`
  return null
}

function noSuchCommand(name: string): string {
  const names = COMMANDS.map(row => row.name)
  return `There is no command "${name}".${didYouMean(closestWord(name, names))}\nSee "${toType('--help')}" for all commands.`
}

const noSuchVerb = (command: string, verb: string, verbs: readonly string[]): string =>
  `"${command}" knows no "${verb}".${didYouMean(closestWord(verb, verbs))} It takes ${verbs.join(', ')}.`

const didYouMean = (meant: string | null): string => (meant === null ? '' : ` Did you mean "${meant}"?`)

function helpOn(name: string | undefined, version: string): CommandLine {
  if (name === undefined) return { kind: 'say', text: generalHelp(version) }
  const command = commandNamed(name)
  return command === null
    ? { kind: 'wrong', message: noSuchCommand(name) }
    : { kind: 'say', text: commandHelp(command) }
}

const tooMany = ({ name, operands }: CommandRow, word: string): string =>
  `"${name}" does not know what to do with "${word}"${operands === '' ? '' : `: it takes ${operands}`}. See "${name} --help".`
