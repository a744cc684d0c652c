import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { isInside } from '../../policy/model/inside.ts'
import { isSecretPath } from '../../policy/reads/secret-files.ts'
import type { JailPlace } from './profile.ts'

/** Where systems keep programs, libraries and what these read. Homes, mounts, sockets and other folders are not among them. */
const SYSTEM = '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /sys /var/lib /var/cache'.split(' ')

const MOST_ENTRIES = 60_000
const MOST_HIDDEN = 500
/** What others wrote; looking through it would take longer than the command. */
const NOT_LOOKED_INTO = new Set(['node_modules', '.git'])

export interface WantedPlace {
  readonly workspace: string
  readonly cwd: string
  readonly home: string
  readonly path: string
  /** Our own files: never there. */
  readonly ours: readonly string[]
}

/** What the sandbox of a folder holds, as the disk is now; or why it cannot be made. */
export function jailPlace(wanted: WantedPlace): JailPlace | { readonly problem: string } {
  const { workspace, cwd, path, ours } = wanted
  const home = real(wanted.home) ?? wanted.home
  if (isInside(workspace, home)) return { problem: 'the home directory lies in the folder' }
  const system = SYSTEM.flatMap(each => systemDirectory(each))
  const secrets = secretsIn(workspace)
  if ('problem' in secrets) return secrets

  const shown = [...system.flatMap(each => (each.link === null ? [each.path] : [])), workspace]
  const tools = toolDirectories(path, { home, shown, ours })
  const own = ours.flatMap(each => {
    const at = real(each)
    if (at === null || ![...shown, ...tools].some(each => isInside(each, at))) return []
    return [{ path: at, kind: statSync(at).isDirectory() ? ('directory' as const) : ('file' as const) }]
  })
  return { workspace, cwd, home, system, tools, hidden: [...secrets, ...own] }
}

function systemDirectory(path: string): JailPlace['system'] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return []
  return [{ path, link: stat.isSymbolicLink() ? readlinkSync(path) : null }]
}

/** `~/.nvm/versions/node/v20/bin` is there with what lies beside it, which its programs load; `~/.local/bin` alone. */
function toolDirectories(
  path: string,
  { home, shown, ours }: { readonly home: string; readonly shown: readonly string[]; readonly ours: readonly string[] },
): string[] {
  const found = path.split(delimiter).flatMap(each => {
    const bin = isAbsolute(each) ? real(each) : null
    if (bin === null || shown.some(each => isInside(each, bin))) return []
    const parent = dirname(bin)
    const isPrefix = basename(bin) === 'bin' && existsSync(join(parent, 'lib')) && mayShow(parent, home, ours)
    if (isPrefix && basename(parent) !== '.local') return [parent]
    return mayShow(bin, home, ours) ? [bin] : []
  })
  return [...new Set(found)].filter(each => !found.some(other => other !== each && isInside(other, each)))
}

/** A place of programs is neither a home nor above one, nor ours, nor called like a secret. */
const mayShow = (path: string, home: string, ours: readonly string[]): boolean =>
  path !== '/' &&
  !isInside(path, home) &&
  !ours.some(each => isInside(path, each) || isInside(each, path)) &&
  !isSecretPath(path) &&
  !/^\/(?:home|root|tmp|run|proc|sys|dev)(?:\/[^/]*)?$/.test(path)

/** Files of the folder that are called like a secret: no rule lets those be read, so neither does this. */
function secretsIn(workspace: string): JailPlace['hidden'] | { readonly problem: string } {
  const hidden: JailPlace['hidden'][number][] = []
  const left = [workspace]
  let seen = 0
  for (let directory = left.pop(); directory !== undefined; directory = left.pop()) {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name)
      if (++seen > MOST_ENTRIES) return { problem: 'the folder has too many files to look for secret ones among them' }
      if (isSecretPath(entry.name)) hidden.push(...secretAt(path, workspace))
      else if (entry.isDirectory() && !NOT_LOOKED_INTO.has(entry.name)) left.push(path)
    }
  }
  return hidden.length > MOST_HIDDEN ? { problem: 'too many files of the folder are called like secrets' } : hidden
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return [] // not ours to read: then not for the command either
  }
}

/** What a link leads to outside is not there anyway. */
function secretAt(path: string, workspace: string): JailPlace['hidden'] {
  const at = real(path)
  if (at === null || !isInside(workspace, at) || at === workspace) return []
  const stat = statSync(at)
  if (stat.isDirectory()) return [{ path: at, kind: 'directory' }]
  return stat.isFile() ? [{ path: at, kind: 'file' }] : []
}

function real(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null // not there
  }
}
