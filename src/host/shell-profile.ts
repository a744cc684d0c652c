import { basename } from 'node:path'
import type { CommandRequest } from '../contract/host-frames.ts'
import type { Shell } from '../policy/reading.ts'

export type Profile = NonNullable<CommandRequest['terminal_profile']>

/** How a line is given to a shell: a fresh one that reads no file of the person's, with the line as one argument. */
export interface ShellStart {
  /** What the gate is told: the language the line is in. */
  readonly name: Shell
  readonly program: string
  readonly argvFor: (command: string) => readonly string[]
  /** The same, telling at its end where it stands: whoever starts it adds a pipe and a nonce (pty-host/carry-pipes.ts). */
  readonly argvCarrying?: (command: string) => readonly string[]
}

/**
 * Constant text; the line is $1 and is evaluated as it stands, with no arguments and with its own exit code. Told at the
 * end, also after `exit 3`, but not by a shell that was replaced or killed. Reading and writing at once, so that a shell
 * whose reader is gone never waits for one, and only into a pipe: a file would keep what is told.
 */
const POSIX_CARRYING =
  'INTERACTIVE_TERMINAL_LINE=$1 INTERACTIVE_TERMINAL_PIPE=$2 INTERACTIVE_TERMINAL_NONCE=$3; set --; ' +
  `trap '{ [ -p "$INTERACTIVE_TERMINAL_PIPE" ] && { printf "%s\\0" "$INTERACTIVE_TERMINAL_NONCE"; command pwd -P; ` +
  `printf "\\0"; /usr/bin/env -0; printf "\\0%s\\0" "$INTERACTIVE_TERMINAL_NONCE"; } ` +
  `1<>"$INTERACTIVE_TERMINAL_PIPE"; } 2>/dev/null' EXIT; eval " $INTERACTIVE_TERMINAL_LINE"`

const FISH_CARRYING =
  'set -g __it_line $argv[1]; set -g __it_pipe $argv[2]; set -g __it_nonce $argv[3]; set -e argv; ' +
  'function __it_carry --on-event fish_exit; test -p "$__it_pipe"; and begin; ' +
  `printf '%s\\0' $__it_nonce; builtin pwd -P; printf '\\0'; /usr/bin/env -0; printf '\\0%s\\0' $__it_nonce; ` +
  'end >> $__it_pipe 2>/dev/null; end; eval $__it_line'

/** `--` before the line: one that starts with a dash is still a line. */
export function shellFor(profile: Profile, person: { readonly shell: string; readonly platform: string }): ShellStart {
  const posix = (name: Shell, options: readonly string[]): ShellStart => ({
    name,
    program: name,
    argvFor: command => [name, ...options, '-c', '--', command],
    argvCarrying: command => [name, ...options, '-c', POSIX_CARRYING, name, command],
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
      const known = (['bash', 'sh', 'zsh', 'fish', 'pwsh', 'powershell', 'cmd'] as const).find(each => each === own)
      return shellFor(known ?? (person.platform === 'win32' ? 'powershell' : 'sh'), person)
    }
  }
}
