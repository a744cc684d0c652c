import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkTree } from '../../contract/disk/receipt.ts'
import { neutralGitEnv } from '../../policy/git/neutral-git-env.ts'
import { repositoryProblem } from '../facts/repository-problem.ts'
import { repositoryState } from '../facts/repository-state.ts'

/** What git calls changed or untracked, and a hash over it; or why that is not known. */
export type WorkTreeLook = Omit<WorkTree, 'taken' | 'taken_at'> | { readonly problem: string }

export interface WorkTreeBounds {
  readonly files: number
  readonly bytes: number
  readonly ms: number
}

const BOUNDS: WorkTreeBounds = { files: 2000, bytes: 64 * 1024 * 1024, ms: 3000 }
const LARGEST_LIST_BYTES = 1024 * 1024
const PIECE_BYTES = 256 * 1024

/** Never looked up in a PATH: whoever sets that could name another program. */
const USUAL_PLACES = [
  '/usr/bin/git',
  '/usr/local/bin/git',
  '/opt/homebrew/bin/git',
  'C:\\Program Files\\Git\\cmd\\git.exe',
]
const NOTHING_FROM_ELSEWHERE = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  // A repository that lacks objects would fetch them.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
}
const LIST = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignore-submodules=all', '--no-renames']

/**
 * Looks at each file of a work tree that git lists as changed or untracked, by the repository's own ignore files. Git starts nothing of
 * the repository's: where its configuration could, nobody asks it. Beyond the bounds there is no hash.
 */
export async function lookAtWorkTree(top: string, bounds = BOUNDS): Promise<WorkTreeLook> {
  const problem = repositoryProblem(top)
  if (problem !== null) return { problem: `git was not asked: ${problem}` }
  const until = performance.now() + bounds.ms
  const before = repositoryState(top)
  const listed = await listChanged(top, bounds.ms)
  if ('problem' in listed) return listed
  if (listed.changed.length > bounds.files)
    return { problem: `${listed.changed.length} files are changed or untracked; at most ${bounds.files} are looked at` }

  const hash = createHash('sha256').update(`${before?.head ?? 'no commit'}\n`)
  let bytes = 0
  for (const { state, path } of listed.changed) {
    const found = await contentOf(join(top, path), { most: bounds.bytes - bytes, until })
    if ('problem' in found) return { problem: `${found.problem} (${path})` }
    bytes += found.bytes
    hash.update(`${JSON.stringify([state, path, found.kind, found.sha256])}\n`)
  }

  const after = repositoryState(top)
  if (before?.head !== after?.head || before?.index !== after?.index)
    return { problem: 'it changed while it was looked at' }
  return {
    ...(before?.head !== undefined && { head: before.head }),
    files: listed.changed.length,
    bytes,
    sha256: hash.digest('hex'),
  }
}

type Listed = { readonly changed: readonly { readonly state: string; readonly path: string }[] }

function listChanged(top: string, timeout: number): Promise<Listed | { readonly problem: string }> {
  const git = USUAL_PLACES.find(place => existsSync(place))
  if (git === undefined) return Promise.resolve({ problem: 'git is in none of its usual places' })
  // What the person has set up for themselves would make the same tree another one elsewhere.
  const env = { ...neutralGitEnv(), ...NOTHING_FROM_ELSEWHERE }
  const args = ['-C', top, '-c', 'core.excludesFile=/dev/null', '-c', 'core.attributesFile=/dev/null', ...LIST]
  return new Promise(resolve => {
    execFile(
      git,
      args,
      { env, timeout, maxBuffer: LARGEST_LIST_BYTES, encoding: 'buffer' },
      (error, stdout, stderr) => {
        if (error) resolve({ problem: `git could not say: ${whyOf(error, stderr, timeout)}` })
        // A name that is no text would be another one as text.
        else if (!isUtf8(stdout)) resolve({ problem: 'a file has a name that is no text' })
        else resolve({ changed: entriesOf(stdout.toString('utf8')) })
      },
    )
  })
}

function whyOf(error: Error & { killed?: boolean; code?: unknown }, stderr: Buffer, timeout: number): string {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'the list is too long'
  if (error.killed) return `it took longer than ${timeout} ms`
  return stderr.toString('utf8').split('\n', 1)[0]?.slice(0, 200) || error.message.slice(0, 200)
}

const isUtf8 = (bytes: Buffer): boolean => Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes)

const entriesOf = (list: string): Listed['changed'] =>
  list
    .split('\0')
    .filter(entry => entry !== '')
    .map(entry => ({ state: entry.slice(0, 2), path: entry.slice(3) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))

type Content = { readonly kind: string; readonly sha256: string | null; readonly bytes: number }

/** Of a plain file what is in it, of a link where it leads; a directory is a repository of its own, which git does not look into. */
async function contentOf(
  path: string,
  { most, until }: { readonly most: number; readonly until: number },
): Promise<Content | { readonly problem: string }> {
  if (performance.now() > until) return { problem: 'looking at the files took too long' }
  try {
    const stat = await lstat(path).catch(() => null)
    if (stat === null) return { kind: 'gone', sha256: null, bytes: 0 }
    if (stat.isDirectory()) return { kind: 'repository', sha256: null, bytes: 0 }
    if (stat.isSymbolicLink())
      return {
        kind: 'link',
        sha256: createHash('sha256')
          .update(await readlink(path))
          .digest('hex'),
        bytes: 0,
      }
    if (!stat.isFile()) return { kind: 'special', sha256: null, bytes: 0 }
    if (stat.size > most) return { problem: 'the files have too many bytes' }
    const read = await hashOf(path, { most, until })
    return 'problem' in read ? read : { kind: stat.mode & 0o111 ? 'program' : 'file', ...read }
  } catch {
    return { problem: 'a file cannot be read' }
  }
}

async function hashOf(
  path: string,
  { most, until }: { readonly most: number; readonly until: number },
): Promise<{ readonly sha256: string; readonly bytes: number } | { readonly problem: string }> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    for (let bytes = 0; ; ) {
      const { bytesRead } = await file.read(piece, 0, piece.length, bytes)
      if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes }
      bytes += bytesRead
      if (bytes > most) return { problem: 'the files have too many bytes' }
      if (performance.now() > until) return { problem: 'looking at the files took too long' }
      hash.update(piece.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}
