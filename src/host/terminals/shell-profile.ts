import { basename } from 'node:path'
import { PROFILES, type Profile } from '../../contract/profiles.ts'
import type { Shell } from '../../policy/model/reading.ts'

/** Names of the line and the files they were judged as: where the shell takes them, it looks for none of them itself. */
export type Pins = readonly (readonly [name: string, file: string])[]

/** How a line is given to a shell: a fresh one that reads no file of the person's, with the line as one argument. */
export interface ShellStart {
  /** For the gate: the language the line is in. */
  readonly name: Shell
  readonly program: string
  readonly argvFor: (command: string, pins: Pins) => readonly string[]
  /** The same, reporting at its end where it is: whoever starts it adds a pipe and a nonce (pty-host/carry-pipes.ts). */
  readonly argvCarrying?: (command: string, pins: Pins) => readonly string[]
}

/**
 * How a name ($1) is bound to a file ($2) before the line. bash and zsh take any file. Other shells only remember what they find
 * themselves: they look now, and go no further if that is another file. A builtin is found by its name alone and stays one.
 */
const PIN = {
  bash: 'hash -p "$2" "$1"',
  zsh: 'hash "$1=$2"',
  sh:
    'hash -p "$2" "$1" 2>/dev/null || { hash "$1" 2>/dev/null; case $(command -v "$1") in */*) ' +
    '[ "$(command -v "$1")" -ef "$2" ] || { echo "interactive-terminal: $1 is another file now. Nothing ran." >&2; exit 126; } ' +
    ';; esac; }',
} as const

/**
 * Constant text; the line is $1, names and files follow, and it is evaluated as it stands, with no arguments and with its own exit
 * code. `left`: how many arguments behind those are not for it.
 */
const pinning = (name: keyof typeof PIN, left: number): string =>
  `INTERACTIVE_TERMINAL_LINE=$1; shift; while [ $# -gt ${left} ]; do ${PIN[name]}; shift 2; done; `

const EVALUATED = 'eval " $INTERACTIVE_TERMINAL_LINE"'

/**
 * Reported at the end, also after `exit 3`, but not by a shell that was replaced or killed. Reading and writing at once, so that a
 * shell whose reader is gone never waits for one, and only into a pipe: a file would keep what is reported.
 */
const POSIX_CARRYING =
  'INTERACTIVE_TERMINAL_PIPE=$1 INTERACTIVE_TERMINAL_NONCE=$2; set --; ' +
  `trap '{ [ -p "$INTERACTIVE_TERMINAL_PIPE" ] && { printf "%s\\0" "$INTERACTIVE_TERMINAL_NONCE"; command pwd -P; ` +
  `printf "\\0"; /usr/bin/env -0; printf "\\0%s\\0" "$INTERACTIVE_TERMINAL_NONCE"; } ` +
  `1<>"$INTERACTIVE_TERMINAL_PIPE"; } 2>/dev/null' EXIT; `

const FISH_CARRYING =
  'set -g __it_line $argv[1]; set -g __it_pipe $argv[2]; set -g __it_nonce $argv[3]; set -e argv; ' +
  'function __it_carry --on-event fish_exit; test -p "$__it_pipe"; and begin; ' +
  `printf '%s\\0' $__it_nonce; builtin pwd -P; printf '\\0'; /usr/bin/env -0; printf '\\0%s\\0' $__it_nonce; ` +
  'end >> $__it_pipe 2>/dev/null; end; eval $__it_line'

/** `--` before the line: one that starts with a dash is still a line. */
export function shellFor(profile: Profile, person: { readonly shell: string; readonly platform: string }): ShellStart {
  const posix = (name: keyof typeof PIN, options: readonly string[]): ShellStart => ({
    name,
    program: name,
    argvFor: (command, pins) =>
      pins.length === 0
        ? [name, ...options, '-c', '--', command]
        : [name, ...options, '-c', pinning(name, 0) + EVALUATED, name, command, ...pins.flat()],
    argvCarrying: (command, pins) => [
      name,
      ...options,
      '-c',
      pinning(name, 2) + POSIX_CARRYING + EVALUATED,
      name,
      command,
      ...pins.flat(),
    ],
  })

  switch (profile) {
    case 'bash':
      return posix('bash', ['--noprofile', '--norc'])
    case 'sh':
      return posix('sh', [])
    case 'zsh':
      return posix('zsh', ['-f'])

    case 'fish':
      return {
        name: 'fish',
        program: 'fish',
        argvFor: command => ['fish', '--no-config', '-c', command],
        argvCarrying: command => ['fish', '--no-config', '-c', FISH_CARRYING, '--', command],
      }
    case 'pwsh':
    case 'powershell':
      return {
        name: 'powershell',
        program: profile,
        argvFor: command => [profile, '-NoProfile', '-NonInteractive', '-Command', command],
      }
    case 'cmd':
      return { name: 'cmd', program: 'cmd.exe', argvFor: command => ['cmd.exe', '/d', '/s', '/c', command] }

    case 'system': {
      const own = basename(person.shell).replace(/\.exe$/, '')
      const known = PROFILES.find(each => each === own && each !== 'system')
      return shellFor(known ?? (person.platform === 'win32' ? 'powershell' : 'sh'), person)
    }
  }
}
