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
}

/** `--` before the line: one that starts with a dash is still a line. */
export function shellFor(profile: Profile, person: { readonly shell: string; readonly platform: string }): ShellStart {
  const posix = (name: Shell, options: readonly string[]): ShellStart => ({
    name,
    program: name,
    argvFor: command => [name, ...options, '-c', '--', command],
  })
  switch (profile) {
    case 'bash':
      return posix('bash', ['--noprofile', '--norc'])
    case 'sh':
      return posix('sh', [])
    case 'zsh':
      return posix('zsh', ['-f'])
    case 'fish':
      return { name: 'fish', program: 'fish', argvFor: command => ['fish', '--no-config', '-c', command] }
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
