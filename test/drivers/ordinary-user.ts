import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Place } from './place.ts'

/**
 * An ordinary user for the tests of the sandbox, which refuses root: where the suite runs as root, one that nobody else is; else
 * whoever runs it. And the bubblewrap that scripts/bubblewrap.sh has built, or that the machine has.
 */
const SPARE_UID = 47_011
const isRoot = process.platform === 'linux' && process.getuid?.() === 0

export const USER_ID = isRoot ? SPARE_UID : (process.getuid?.() ?? -1)

const BUILT = join(process.env.IT_BWRAP_CACHE ?? '/var/cache/interactive-terminal-tests', 'bubblewrap-0.12')

/** Where bubblewrap 0.12 is, or newer; null: nowhere. */
export const BUBBLEWRAP: string | null =
  [BUILT, ...(process.env.PATH ?? '').split(delimiter)].map(directory => join(directory, 'bwrap')).find(isNewEnough) ??
  null

function isNewEnough(file: string): boolean {
  if (!existsSync(file)) return false
  const said = spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? ''
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(said)?.map(Number) ?? []
  return major > 0 || minor >= 12
}

export const noSandbox = (): string | null => {
  if (process.platform !== 'linux') return 'the sandbox is there on Linux only'
  if (BUBBLEWRAP === null)
    return `bubblewrap 0.12 is not here: scripts/bubblewrap.sh builds it${process.env.IT_NO_BUBBLEWRAP ? `, but ${process.env.IT_NO_BUBBLEWRAP}` : ''}`
  const [program = '', ...args] = asUser(BUBBLEWRAP, ['--unshare-all', '--ro-bind', '/', '/', 'true'])
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? null : `no sandbox starts on this machine: ${stderr.trim()}`
}

/** How that user starts a program. */
export function asUser(program: string, args: readonly string[]): string[] {
  if (!isRoot) return [program, ...args]
  const ids = [`--reuid=${USER_ID}`, `--regid=${USER_ID}`, '--clear-groups']
  return ['/usr/bin/setpriv', ...ids, program, ...args]
}

export function startAsUser(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ChildProcess {
  const [first = '', ...rest] = asUser(program, args)
  return spawn(first, rest, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** All of the place is theirs, and what they start finds bubblewrap before any other. */
export function giveToUser(place: Place): Record<string, string> {
  if (isRoot) {
    execFileSync('chown', ['-R', `${USER_ID}:${USER_ID}`, place.root])
    chmodSync(place.root, 0o755)
  }
  const env = place.env()
  // Such a user has no entry that names a shell.
  return { ...env, SHELL: '/bin/bash', PATH: `${dirname(BUBBLEWRAP ?? '/')}${delimiter}${env.PATH}` }
}
