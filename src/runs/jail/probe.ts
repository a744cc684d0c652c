import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { jailPlace } from './jail-place.ts'
import { jailedEnv, jailedWords } from './jailed-words.ts'
import { profileLines } from './profile.ts'
import { isFiltered, seccompFilter } from './seccomp.ts'
import { starterShell } from './starter-shell.ts'

/** What is known about the machine before anything is tried. */
export interface JailMachine {
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** null: the system knows none. */
  readonly uid: number | null
  /** Where programs are looked for. */
  readonly path: string
  /** Where a folder for trying can be made. */
  readonly stateDir: string
}

export type JailProbe = { readonly program: string } | { readonly why: string }

const PATIENCE_MS = 5000
const OTHERS_CAN_WRITE = 0o022

/**
 * Whether the sandbox holds here: tried, not concluded from a version, because distributions patch without changing it. Any
 * doubt is an answer in one sentence, and then what no rule covers is asked about, as without it.
 */
export function probeJail(machine: JailMachine): JailProbe {
  const { platform, arch, uid } = machine
  if (platform === 'darwin')
    return { why: 'macOS cannot show a command a machine of its own, so every such command is asked about' }
  if (platform === 'win32')
    return { why: 'Windows has no sandbox that starts in less than seconds, so every such command is asked about' }
  if (platform !== 'linux' || !isFiltered(arch)) return { why: `nobody has tried it on ${platform} ${arch}` }
  if (uid === 0) return { why: 'it runs as root, and a sandbox does not hold root: start it as an ordinary user' }
  const program = findBubblewrap(machine.path)
  if (program === null)
    return { why: 'bubblewrap is not on the PATH: install version 0.12 or newer (Debian 13, Alpine 3.24)' }
  let folder: string | null = null
  try {
    mkdirSync(machine.stateDir, { recursive: true, mode: 0o700 })
    folder = realpathSync(mkdtempSync(join(machine.stateDir, 'sandbox-probe-')))
    return { ...tried(arch, program, folder), program }
  } catch (cause) {
    return { why: cause instanceof Error ? cause.message : String(cause) }
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
}

/** The first one that only its owner and root could have put there. */
function findBubblewrap(path: string): string | null {
  for (const directory of path.split(delimiter)) {
    if (!isAbsolute(directory)) continue
    try {
      const file = realpathSync.native(join(directory, 'bwrap'))
      const isOpen = [directory, file].some(each => (statSync(each).mode & OTHERS_CAN_WRITE) !== 0)
      if (!isOpen && (statSync(file).mode & 0o111) !== 0) return file
    } catch {
      // not there: the next one
    }
  }
  return null
}

const failed = (why: string): Error => new Error(why)

function tried(arch: 'x64' | 'arm64', program: string, folder: string): object {
  const workspace = join(folder, 'work')
  const outside = join(folder, 'outside')
  const home = join(folder, 'home')
  for (const each of [workspace, outside, home]) mkdirSync(each)
  refuseOld(program, workspace, outside)

  writeFileSync(join(workspace, 'text'), 'text')
  writeFileSync(join(workspace, '.env'), 'secret')
  writeFileSync(join(home, 'private'), 'private')
  const filterFile = join(folder, 'filter')
  writeFileSync(filterFile, seccompFilter(arch))
  const path = '/usr/local/bin:/usr/bin:/bin'
  const place = jailPlace({ workspace, cwd: workspace, home, path, ours: [outside] })
  if ('problem' in place) throw failed(place.problem)

  const jail = { filterFile, bubblewrap: { path: program }, lines: profileLines(place) }
  const words = jailedWords(jail, '/bin/sh', ['-c', INSIDE_CHECK, 'check', outside], join(folder, 'status'))
  const { stdout, stderr, error } = run(starterShell(), words, jailedEnv({ PATH: path }, home))
  if (error) throw failed(`the sandbox could not be tried: ${error.message}`)
  if (stdout === 'ok\n') return {}
  if (stdout === '') throw failed(whyNoNamespace(stderr))
  throw failed(`the sandbox does not hold here: ${stdout.trim().split('\n').join(', ')}`)
}

/** CVE-2026-87766: a link in a folder that others control makes it create paths on the machine. Fixed in 0.12.0. */
function refuseOld(program: string, workspace: string, outside: string): void {
  const link = join(workspace, 'link')
  symlinkSync(join('/oldroot', outside), link)
  const { error } = run(
    program,
    ['--ro-bind', '/', '/', '--bind', workspace, workspace, '--dir', join(link, 'made'), 'true'],
    {
      PATH: '/usr/bin:/bin',
    },
  )
  const isMade = readdirSync(outside).length > 0
  rmSync(link)
  if (error) throw failed(`bubblewrap could not be tried: ${error.message}`)
  if (isMade)
    throw failed(
      `the bubblewrap at ${program} is older than 0.12 and writes outside what it is told (CVE-2026-87766): install 0.12 or newer (Debian 13, Alpine 3.24)`,
    )
}

/** Each line names what would be wrong. */
const INSIDE_CHECK = `
cat .env >/dev/null 2>&1 && echo 'secret files can be read'
[ "$(cat text)" = text ] || echo 'the folder cannot be read'
(: > new) 2>/dev/null && echo 'the folder can be written'
[ -z "$(ls -A ~)" ] || echo 'the home directory is not empty'
[ -e "$1" ] && echo 'our own files are there'
(: > /tmp/new) 2>/dev/null || echo 'there is no scratch directory'
grep -q '^Seccomp:[[:space:]]*2' /proc/self/status || echo 'system calls are not filtered'
grep -q '^NoNewPrivs:[[:space:]]*1' /proc/self/status || echo 'more rights can be had'
grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || echo 'it has capabilities'
[ "$(grep -c : /proc/net/dev)" = 1 ] || echo 'the network is there'
[ -d "/proc/$PPID" ] && [ "$PPID" -lt 100 ] || echo 'other processes are there'
echo ok`

/** What keeps an ordinary user from a namespace, told apart by what the system says of itself. */
function whyNoNamespace(said: string): string {
  const setting = (name: string): string => {
    try {
      return readFileSync(`/proc/sys/${name}`, 'utf8').trim()
    } catch {
      return ''
    }
  }
  const bwrap = said.trim().split('\n').at(-1) ?? ''
  if (/prlimit|env:/.test(bwrap)) return `the sandbox needs prlimit of util-linux and env of GNU coreutils: ${bwrap}`
  if (setting('kernel/apparmor_restrict_unprivileged_userns') === '1')
    return `AppArmor keeps ordinary users from namespaces here (Ubuntu does so), and bubblewrap has no profile that allows it: ${bwrap}`
  if (setting('kernel/unprivileged_userns_clone') === '0' || setting('user/max_user_namespaces') === '0')
    return `this system lets ordinary users make no namespaces (kernel.unprivileged_userns_clone, user.max_user_namespaces): ${bwrap}`
  const isContainer = ['/.dockerenv', '/run/.containerenv'].some(mark => statSync(mark, { throwIfNoEntry: false }))
  if (isContainer) return `this is a container that allows no namespaces inside: ${bwrap}`
  return `bubblewrap could not start a sandbox: ${bwrap || 'it said nothing'}`
}

function run(program: string, words: readonly string[], env: Readonly<Record<string, string>>) {
  return spawnSync(program, words, { env, encoding: 'utf8', timeout: PATIENCE_MS, stdio: ['ignore', 'pipe', 'pipe'] })
}
