import type { Shell } from '../model/reading.ts'
import { harmless, nothingButHelp, options, type ToolTable, tools } from '../model/tool-model.ts'

/** Commands a shell runs by itself. Most change what the rest of the line means, so no wildcard covers them. */
const STATE =
  '. source alias unalias bind caller compgen complete compopt declare typeset local readonly export unset enable eval exec fc getopts hash history let logout mapfile readarray read return set setopt unsetopt shift shopt suspend trap ulimit autoload zmodload zstyle functions vared emulate disable sched print zle bindkey limit unlimit abbr'

/** Builtins that change the shell: fine alone when a rule spells them out, never as part of a longer line. */
export const CHANGES_SHELL: ReadonlySet<string> = new Set(STATE.split(' '))

const MOVES = new Set(['cd', 'pushd', 'popd', 'chdir'])

/** Whether a command leaves its shell in another directory or with other variables. */
export const changesShell = (program: string): boolean =>
  MOVES.has(program) || CHANGES_SHELL.has(program) || /^(command|builtin|printf|wait|umask)$/.test(program)

export const SHELL_BUILTINS: ToolTable = {
  ...tools(STATE, {
    globs: 'nowhere',
    inspect: (argv, start) =>
      argv.slice(start).map((_, i) => ({ at: start + i, why: 'changes the shell or runs a command' })),
  }),
  ...tools('cd pushd popd dirs times help exit umask :', harmless),
  ...tools('wait', options({ hazards: { '-p=': 'sets a variable' }, unlisted: 'open' }, 'nowhere')),
  ...tools(
    'printf',
    options(
      {
        hazards: { '-v=': 'sets a variable' },
        unlisted: 'open',
        order: 'options_first',
        // `%n` sets the variable that the next word names to how much was printed: `PATH` to a directory called 5.
        operands: ([format]) =>
          format && /%[^%A-Za-z]*[hlLjzt]*n/.test(format.text.replaceAll('%%', ''))
            ? [{ at: format.at, why: 'sets a variable' }]
            : [],
      },
      'nowhere',
    ),
  ),
  ...tools(
    'test [',
    options({
      hazards: { '-v= -R=': 'evaluates a name' },
      unlisted: 'open',
      dashes: 'words',
      operands: operands =>
        operands
          .filter(({ text }) => text.includes('[') && text !== '[')
          .map(({ at }) => ({ at, why: 'may be evaluated' })),
    }),
  ),
  ...tools('kill killall pkill', {
    globs: 'nowhere',
    inspect: (argv, start) => argv.slice(start).map((word, i) => ({ at: start + i, why: `${word} ends processes` })),
  }),
  ...tools('fg bg disown jobs', nothingButHelp('moves a job')),
}

const POSIX_BUILTINS: ReadonlySet<string> = new Set([
  ...CHANGES_SHELL,
  ...'cd pushd popd dirs jobs wait times help exit umask : echo printf pwd true false test [ kill type command builtin fg bg disown'.split(
    ' ',
  ),
])
const POWERSHELL_ALIASES =
  /^(?:[a-z]+-[a-z]+|ls|dir|gci|cat|gc|type|echo|write|pwd|gl|cd|sl|select|where|sort|measure|ft|fl|gps|ps|gsv|sls|gm|gi|gp|rvpa|compare|diff|group|h|history|clear|cls|help|man)$/i
const CMD_BUILTINS = /^(?:dir|echo|type|cd|chdir|ver|vol|date|time|path|set|cls|exit|rem|where|pushd|popd|title)$/i

/** Whether the shell runs it by itself, without looking for a file. */
export function isBuiltin(program: string, shell: Shell): boolean {
  switch (shell) {
    case 'bash':
    case 'sh':
    case 'zsh':
      return POSIX_BUILTINS.has(program)
    case 'powershell':
      return POWERSHELL_ALIASES.test(program)
    case 'cmd':
      return CMD_BUILTINS.test(program)
    case 'fish':
      return false
  }
}
