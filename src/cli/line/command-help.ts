import { type CommandRow, GROUPS } from './command-row.ts'
import { COMMANDS } from './commands.ts'

const PROGRAM = 'interactive-terminal'
const COLUMN = 24

/** The page of all commands. */
export function generalHelp(version: string): string {
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => [
    '',
    title,
    ...COMMANDS.filter(row => row.group === group).map(row => twoColumns(`${row.name} ${row.operands}`, row.sentence)),
  ])
  return [
    `${PROGRAM} ${version}: a real terminal for AI agents, with a person in charge`,
    ...groups,
    '',
    `"${PROGRAM} <command> --help" says more about one command.`,
    `Every setting is a flag, a variable or a line in settings.json: see "${PROGRAM} doctor --settings".`,
  ].join('\n')
}

/** The page of one command. */
export function commandHelp({ name, operands, sentence, options, more }: CommandRow): string {
  const given = options.map(option =>
    twoColumns(`--${option.name}${option.value === null ? '' : ` <${option.value}>`}`, option.sentence),
  )
  return [
    `${PROGRAM} ${name} ${operands}`.trim(),
    sentence,
    ...(more === undefined ? [] : ['', more]),
    ...(given.length === 0 ? [] : ['', ...given]),
  ].join('\n')
}

/** A first word that is too long for its column gets a line of its own. */
const twoColumns = (left: string, right: string): string =>
  left.trim().length < COLUMN - 2
    ? `  ${left.trim().padEnd(COLUMN - 2)} ${right}`
    : `  ${left.trim()}\n${' '.repeat(COLUMN + 1)}${right}`
