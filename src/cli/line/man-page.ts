import { flagOf, rowOf, SETTING_NAMES } from '../../config/env.ts'
import { type CommandRow, GROUPS } from './command-row.ts'
import { COMMANDS } from './commands.ts'

const PROGRAM = 'interactive-terminal'

/** The manual page, in roff: made of the tables of commands and settings. */
export function manPage(version: string): string {
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => [
    `.SS ${escaped(title)}`,
    ...COMMANDS.filter(row => row.group === group).flatMap(commandLines),
  ])

  const settings = SETTING_NAMES.flatMap(name => {
    const { sentence, default: usual } = rowOf(name)
    const given = usual === '' ? '' : ` Default: ${String(usual)}.`
    return ['.TP', `.B ${escaped(name)}, \\-\\-${escaped(flagOf(name))}`, escaped(`${sentence}${given}`)]
  })

  return `${[
    `.TH INTERACTIVE\\-TERMINAL 1 "" "${PROGRAM} ${escaped(version)}" "User Commands"`,
    '.SH NAME',
    `${escaped(PROGRAM)} \\- a real terminal for AI agents, with a person in charge`,
    '.SH SYNOPSIS',
    `.B ${escaped(PROGRAM)}`,
    '[\\fIcommand\\fR] [\\fIoperands\\fR] [\\fB\\-\\-option\\fR]',
    '.SH DESCRIPTION',
    'Any agent that speaks MCP gets a terminal. What rules cover runs at once; everything else needs the approval of a person, in a window or',
    'in a terminal. Without a command the host starts, and its window.',
    '.SH COMMANDS',
    ...groups,
    '.SH SETTINGS',
    'Each is a flag, a variable or a line in settings.json; the first that is there counts, in this order.',
    ...settings,
    '.SH EXIT STATUS',
    ...[
      ['0', 'all is well'],
      ['1', 'what was asked for is not so: a check failed, a record was changed, somebody declined'],
      ['2', 'the command line, a setting or a file is wrong; nothing was done'],
      ['3', 'status: no host runs'],
    ].flatMap(([code = '', words = '']) => ['.TP', `.B ${code}`, escaped(words)]),
    '.SH FILES',
    `${escaped(PROGRAM)} where prints where each of them is.`,
  ].join('\n')}\n`
}

function commandLines({ name, operands, sentence, options, more }: CommandRow): string[] {
  return [
    '.TP',
    `.B ${escaped(`${name} ${operands}`.trim())}`,
    escaped(sentence),
    ...options.flatMap(option => [
      '.RS',
      '.TP',
      `.B \\-\\-${escaped(option.name)}${option.value === null ? '' : ` \\fI${escaped(option.value)}\\fR`}`,
      escaped(option.sentence),
      '.RE',
    ]),
    ...(more === undefined
      ? []
      : ['.RS', '.P', '.nf', ...more.split('\n').map(line => escaped(line.replace(/^ {2}/, ''))), '.fi', '.RE']),
  ]
}

/** Text as roff shows it: its own signs mean nothing in it. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
