import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { TestOptions } from 'vitest'
import { spawnerName } from '../../src/base/process/spawner-program.ts'
import { canJail } from '../fuzz/dispatch-jail.ts'
import { noScratchRoot } from '../fuzz/surroundings-jail.ts'
import { SYSTEM_CHROMIUM } from './chromium.ts'
import { noSandbox } from './ordinary-user.ts'
import { hasOwnMachine } from './own-machine.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Why this machine cannot run it; the closing line says so. */
    missing?: string
  }
}

/** What is more than one program. Null: it is there. */
const MORE: Readonly<Record<string, () => string | null>> = {
  'a screen': () => (SYSTEM_CHROMIUM === null ? 'there is no Chromium that can open windows' : missing('Xvfb')),
  notifications: () => (SYSTEM_CHROMIUM === null ? 'the Chromium from npm shows no notifications' : null),
  'a keyboard': () => reasonWithout('a screen', 'openbox', 'xdotool'),
  'threads of perl': () =>
    spawnSync('perl', ['-Mthreads', '-e', '1']).status === 0 ? null : 'there is no perl with threads',
  'the spawner': () => (existsSync(SPAWNER) ? null : 'the spawner was not built: there is no C compiler'),
  'a sandbox': () => noSandbox() ?? missing('python3') ?? missing('git'),
  'bubblewrap 0.8': () =>
    / 0\.[0-9]\./.test(spawnSync('/usr/bin/bwrap', ['--version'], { encoding: 'utf8' }).stdout ?? '')
      ? null
      : 'the bubblewrap of this machine is new enough, or not there',
  'a jail': () => (canJail() ? null : 'a jail for bash needs unshare, ldd and user namespaces'),
  'a scratch root': () => missing('git') ?? noScratchRoot(),
  'processes of its own': () => (hasOwnMachine ? null : 'nobody may make a process namespace here'),
  'a GBK locale': () =>
    missing('localedef') ?? (existsSync('/usr/share/i18n/charmaps/GBK.gz') ? null : 'there is no GBK to make it of'),
  root: () => (process.platform === 'linux' && process.getuid?.() === 0 ? null : 'only root on Linux may mount'),
  'a network of its own': () =>
    missing('ip') ?? (spawnSync(IN_NETNS, ['true']).status === 0 ? null : 'nobody may make a network namespace here'),
}
/** Built with the product, on a Linux that has a C compiler. */
export const SPAWNER = resolve(import.meta.dirname, '../../dist', spawnerName(process.arch))
/** Whether the product starts commands by it in this run of the suite. */
export const usesSpawner = existsSync(SPAWNER) && process.env.PM_TERM_SPAWNER !== 'off'
const IN_NETNS = resolve(import.meta.dirname, '../netns/in-netns.sh')

/**
 * What a test, or all of a group, needs of the machine beside Node: programs, or one of the above. Where something is missing
 * it is skipped, and the closing line says why: `test('…', needs('zsh'), …)`, `test('…', { ...needs('git'), timeout }, …)`.
 */
export function needs(...what: readonly string[]): Pick<TestOptions, 'skip' | 'meta'> {
  const reason = reasonWithout(...what)
  return reason === null ? {} : { skip: true, meta: { missing: reason } }
}

/** For one case of several: `test.for(cases)('%s', (one, { skip }) => skipWithout(skip, one.shell))`. */
export function skipWithout(skip: (note: string) => void, ...what: readonly string[]): void {
  const reason = reasonWithout(...what)
  if (reason !== null) skip(reason)
}

function reasonWithout(...what: readonly string[]): string | null {
  for (const one of what) {
    const reason = (MORE[one] ?? (() => missing(one)))()
    if (reason !== null) return reason
  }
  return null
}

const missing = (program: string): string | null => (isHere(program) ? null : `${program} is not on this machine`)

function isHere(program: string): boolean {
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin', '/bin', '/sbin']
  return directories.some(directory => {
    try {
      accessSync(join(directory, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
