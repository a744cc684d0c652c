import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { RepositoryState } from '../../contract/disk/run-record.ts'

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const BRANCH = /^ref: (refs\/[\w./+@-]{1,240})$/
const LARGEST_LINE = 1024
const LARGEST_PACKED = 512 * 1024
const CHECKSUM_BYTES = 20

/**
 * Where git stands around a directory, for the record. A few short reads: nothing of the repository is started or believed, and what is
 * no plain file of a known kind is left out. What changed in the work tree is no part of it: that needs a look at each file.
 */
export function repositoryState(cwd: string): RepositoryState | null {
  for (let at = cwd; ; at = dirname(at)) {
    const git = gitIn(at)
    if (git !== null) return { top: at, ...headOf(git), ...indexOf(git) }
    if (dirname(at) === at) return null
  }
}

/** `.git`, or what a file of that name points to. */
function gitIn(at: string): string | null {
  const path = join(at, '.git')
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory()) return path
    const target = stat?.isFile() ? /^gitdir: (.+)$/.exec(lineIn(path) ?? '')?.[1] : undefined
    return target === undefined ? null : resolve(at, target)
  } catch {
    return null // not ours to look at
  }
}

function headOf(git: string): Pick<RepositoryState, 'head' | 'branch'> {
  const head = lineIn(join(git, 'HEAD'))
  if (head === null) return {}
  if (COMMIT.test(head)) return { head }
  const name = BRANCH.exec(head)?.[1]
  if (name === undefined || name.includes('..')) return {}
  const branch = { branch: name.replace(/^refs\/heads\//, '') }
  // A linked work tree keeps its branches with the main one.
  const common = basename(git) === '.git' ? null : lineIn(join(git, 'commondir'))
  const shared = common === null ? git : resolve(git, common)
  const commit = lineIn(join(shared, name)) ?? packed(shared, name)
  return commit !== null && COMMIT.test(commit) ? { head: commit, ...branch } : branch
}

/** Branches that have not moved for a while are lines of one file. */
function packed(git: string, name: string): string | null {
  const text = read(join(git, 'packed-refs'), LARGEST_PACKED)?.toString('latin1') ?? ''
  const end = text.indexOf(` ${name}\n`)
  return end < 0 ? null : text.slice(text.lastIndexOf('\n', end) + 1, end)
}

/** The index ends with a checksum over itself, unless git was told to leave it out. */
function indexOf(git: string): Pick<RepositoryState, 'index'> {
  const sum = read(join(git, 'index'), CHECKSUM_BYTES, 'end')?.toString('hex')
  return sum === undefined || /^0*$/.test(sum) ? {} : { index: sum }
}

const lineIn = (path: string): string | null =>
  read(path, LARGEST_LINE)?.toString('utf8').split('\n', 1)[0]?.trim() ?? null

/** Of a plain file only, and no more than that: a pipe would never end, and a link could lead anywhere. */
function read(path: string, most: number, which: 'all' | 'end' = 'all'): Buffer | null {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch {
    return null // not there, or no plain file
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile() || (which === 'all' && stat.size > most) || (which === 'end' && stat.size < most)) return null
    const bytes = Buffer.allocUnsafe(Math.min(most, stat.size))
    const from = which === 'end' ? stat.size - most : 0
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from))
  } catch {
    return null // a disk that cannot be read says nothing
  } finally {
    closeSync(fd)
  }
}
