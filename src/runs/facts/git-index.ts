import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { plainFile } from './plain-file.ts'
import { commonDirectory, gitDirectory } from './repository-problem.ts'

const LARGEST_BYTES = 32 * 1024 * 1024
/** Times, ids, sizes and the hash of an entry, before its flags. */
const BEFORE_FLAGS = 60

/** What a repository inside the repository is kept as. */
const GITLINK = 0o160000
const MODE_AT = 24

/**
 * Whether git keeps anything at or below a path of this work tree, by its index; null: the index is of a kind that is not read
 * here. `path` is written with slashes, from the top.
 */
export function isTracked(top: string, path: string): boolean | null {
  // On some disks `Build` and `build` are one directory.
  const below = `${path}/`.toLowerCase()
  const names = entriesOf(top)?.map(({ name }) => name.toLowerCase())
  // A name that ends with a slash stands for a whole directory.
  return names?.some(name => `${name}/`.startsWith(below) || (name.endsWith('/') && below.startsWith(name))) ?? null
}

/** Whether git keeps other repositories below this work tree; null: the index is of a kind that is not read here. */
export const hasSubmodules = (top: string): boolean | null =>
  entriesOf(top)?.some(({ name, mode }) => mode === GITLINK || name.endsWith('/')) ?? null

/** All that git keeps of this work tree, by name from the top; null: the index is of a kind that is not read here. */
export function trackedNames(top: string): ReadonlySet<string> | null {
  const names = entriesOf(top)?.map(({ name }) => name)
  return names === undefined || names.some(name => name.endsWith('/')) ? null : new Set(names)
}

interface IndexEntry {
  readonly name: string
  readonly mode: number
}

function entriesOf(top: string): readonly IndexEntry[] | null {
  try {
    const git = gitDirectory(top)
    if (git === null || git === 'strange') return null
    const config = plainFile(join(commonDirectory(git), 'config'))?.toString('latin1')
    // Another work tree than the one around, another kind of hash: paths and lengths are then others.
    if (config === undefined || /^\s*worktree\s*=|objectformat/im.test(config)) return null
    const index = join(git, 'index')
    if (lstatSync(index, { throwIfNoEntry: false }) === undefined) return []
    const bytes = plainFile(index, LARGEST_BYTES)
    return bytes === null ? null : entriesIn(bytes)
  } catch {
    return null // not ours to read, or not what it looks like
  }
}

/** Those of an index of version 2 or 3; null: it is another one, or only a part of one. */
function entriesIn(bytes: Buffer): IndexEntry[] | null {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || ![2, 3].includes(bytes.readUInt32BE(4))) return null
  const entries: IndexEntry[] = []
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const isExtended = (bytes.readUInt16BE(at + BEFORE_FLAGS) & 0x4000) !== 0
    const start = at + BEFORE_FLAGS + (isExtended ? 4 : 2)
    const end = bytes.indexOf(0, start)
    if (end < 0) return null
    entries.push({ name: bytes.toString('utf8', start, end), mode: bytes.readUInt32BE(at + MODE_AT) })
    // Each entry ends with one to eight zeros, at a multiple of eight.
    at += (end - at + 8) & ~7
  }
  // The rest of a split index lies in another file.
  return bytes.toString('latin1', at, at + 4) === 'link' ? null : entries
}
