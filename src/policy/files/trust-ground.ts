import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../model/inside.ts'

/** What of this machine decides where trust may be given. Real paths. */
export interface TrustGround {
  /** Of the person: nothing at or above one is a project. */
  readonly homes: readonly string[]
  readonly tmp: readonly string[]
  /** Our own state, data and settings. */
  readonly ours: readonly string[]
  /** null: a system without them. */
  readonly user: { readonly uid: number; readonly gid: number } | null
}

const MOST_LEVELS = 64

/**
 * The project a real directory is in: the nearest directory upwards with a `.git` entry, else the directory itself. Only
 * the entry's name is looked at: nothing in the repository is read, and git is not run.
 */
export function projectAround(cwd: string, { homes }: TrustGround): string {
  let at = cwd
  for (let level = 0; level < MOST_LEVELS; level++) {
    if (homes.some(home => isInside(at, home)) || dirname(at) === at) break
    if (look(join(at, '.git'))) return at
    at = dirname(at)
  }
  return cwd
}

/** Why this real directory cannot become a workspace, trusted or not; null: it can (docs/spec.md D24). */
export function trustObjection(directory: string, ground: TrustGround): string | null {
  const { homes, tmp, ours } = ground
  if (dirname(directory) === directory) return 'it is the root of a disk'
  if (homes.includes(directory)) return 'it is your home directory'
  if (homes.some(home => isInside(directory, home))) return 'your home directory is inside it'
  if (ours.some(own => isInside(own, directory))) return 'it belongs to this product'
  if (ours.some(own => isInside(directory, own))) return 'the state of this product is inside it'
  // Whose home lies in a temporary directory has their projects there as well.
  const shared = tmp.filter(each => !homes.some(home => isInside(each, home)))
  if (shared.some(each => isInside(each, directory))) return 'it is in a temporary directory'
  if (tmp.includes(directory)) return 'it is a temporary directory'
  return writableByOthers(directory, ground)
}

/** Whoever can write a directory, or replace it by another one, could bring code that then runs. */
function writableByOthers(directory: string, { user }: TrustGround): string | null {
  if (user === null) return null
  for (let at = directory, level = 0; level < MOST_LEVELS; level++) {
    const stat = statSync(at, { throwIfNoEntry: false })
    if (!stat) return 'it is gone'
    const open = openToOthers(stat, user)
    // In a sticky directory nobody renames what is another's.
    if (open !== null && (at === directory || (stat.mode & 0o1000) === 0))
      return at === directory ? open : `${at} above it: ${open}`
    const above = dirname(at)
    if (above === at) return null
    at = above
  }
  return 'it lies too deep'
}

function openToOthers({ mode, uid, gid }: Stats, user: { readonly uid: number; readonly gid: number }): string | null {
  if (uid !== user.uid && uid !== 0) return 'it belongs to another user'
  if ((mode & 0o002) !== 0) return 'every user of this machine can write there'
  // A group of one's own name and number holds nobody else; most distributions give everybody one.
  const isOwnGroup = gid === user.gid && user.gid === user.uid
  if ((mode & 0o020) !== 0 && !isOwnGroup && gid !== 0) return 'its group can write there (chmod g-w changes that)'
  return null
}

function look(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null // not ours to look into
  }
}
