import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { configProblem } from '../../policy/git/git-config.ts'
import { isInside } from '../../policy/model/inside.ts'
import { plainFile } from './plain-file.ts'

const LARGEST_CONFIG_BYTES = 256 * 1024
const MOST_MODULES = 200

/** Why git may not run without approval in this directory: something in the repository around it could start a program. */
export function repositoryProblem(cwd: string): string | null {
  for (let at = cwd; ; at = dirname(at)) {
    const found = gitDirectory(at)
    if (found === 'strange') return 'the repository points to its data in a way that cannot be read here'
    if (found !== null) return problemOf(found, at)
    if (dirname(at) === at) return null
  }
}

/** The top of the repository that git would find around this directory, or might; null: there is none. */
export function repositoryTop(cwd: string): string | null {
  for (let at = cwd; ; at = dirname(at)) {
    if (gitDirectory(at) !== null) return at
    if (dirname(at) === at) return null
  }
}

/**
 * The directory git would take for its own at this level: `.git`, or what a file `.git` names. Whatever else git might take for
 * a repository, a bare one or half of one, is strange: git needs approval there.
 */
export function gitDirectory(at: string): string | 'strange' | null {
  const dotGit = join(at, '.git')
  const stat = look(lstatSync, dotGit)
  if (stat === 'unseen') return 'strange'
  if (stat?.isDirectory()) return looksLikeRepository(dotGit) ? dotGit : 'strange'
  if (stat?.isFile()) {
    const target = /^gitdir: (.+)\n?$/.exec(read(dotGit) ?? '')?.[1]
    const directory = target === undefined ? null : resolve(at, target)
    return directory !== null && looksLikeRepository(directory) && pointsBack(directory, at) ? directory : 'strange'
  }
  return stat || isAny(at, 'HEAD', 'commondir') ? 'strange' : null
}

/** As git looks: a HEAD, and objects and refs beside it or where `commondir` says. */
function looksLikeRepository(directory: string): boolean {
  const shared = commonDirectory(directory)
  return isAny(directory, 'HEAD') && isAny(shared, 'objects') && isAny(shared, 'refs')
}

/** A file `.git` can name anybody's repository: one that is meant knows the place, as a linked work tree or as a submodule. */
function pointsBack(git: string, top: string): boolean {
  const linked = read(join(git, 'gitdir'))?.trim()
  if (linked !== undefined) return isSame(resolve(git, linked), join(top, '.git'))
  const tree = WORK_TREE.exec(read(join(git, 'config')) ?? '')?.[1]
  return tree !== undefined && isSame(resolve(git, tree), top)
}

/** What git would read through: none of it may lead out of where it lies, and no objects come from elsewhere. */
function leadsOut(git: string): boolean {
  const shared = commonDirectory(git)
  if (shared !== git && !isSame(dirname(dirname(git)), shared)) return true
  const links = [git, shared].some(directory => PARTS.some(name => isLink(join(directory, name))))
  return links || isAny(join(shared, 'objects', 'info'), 'alternates')
}

const PARTS = 'HEAD objects refs packed-refs config config.worktree index logs modules objects/pack objects/info'.split(
  ' ',
)
const WORK_TREE = /^[ \t]*worktree[ \t]*=[ \t]*([\w./-]+)$/m

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map(path => statSync(path, { throwIfNoEntry: false }))
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev
}

/** A linked work tree keeps its objects and its configuration in the main one. */
export function commonDirectory(git: string): string {
  const common = read(join(git, 'commondir'))?.trim()
  return common === undefined ? git : isAbsolute(common) ? common : join(git, common)
}

const isAny = (directory: string, ...names: readonly string[]): boolean =>
  names.some(name => look(lstatSync, join(directory, name)) !== undefined)

/** What is there. Below a file is nothing; what cannot be looked at is never taken for nothing. */
function look(stat: typeof lstatSync | typeof statSync, path: string): Stats | 'unseen' | undefined {
  try {
    return stat(path, { throwIfNoEntry: false })
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOTDIR' ? undefined : 'unseen'
  }
}

function problemOf(git: string, top: string): string | null {
  if (leadsOut(git)) return 'the repository keeps parts of itself elsewhere'
  const shared = commonDirectory(git)
  const root = basename(shared) === '.git' ? dirname(shared) : top
  const modules = moduleConfigs(join(shared, 'modules'))
  if (modules === null) return 'the repository has more submodules than can be looked through'
  for (const file of [join(shared, 'config'), join(git, 'config'), join(git, 'config.worktree'), ...modules]) {
    const own = file === join(git, 'config') || file === join(shared, 'config')
    const problem = problemIn(file, 'config', tree => (own ? tree === top : isInside(root, tree)))
    if (problem) return problem
  }
  return problemIn(join(top, '.gitmodules'), 'modules')
}

/** `mayLookAt`: whether a repository may have its files there. */
function problemIn(
  file: string,
  kind: 'config' | 'modules',
  mayLookAt: (directory: string) => boolean = () => false,
): string | null {
  const stat = look(statSync, file)
  if (stat === undefined) return null
  const text = stat !== 'unseen' && stat.isFile() && stat.size <= LARGEST_CONFIG_BYTES ? read(file) : null
  if (text === null) return `${file} cannot be read`
  // A submodule's own says where its files are, seen from there.
  const without = text.replace(WORK_TREE, (line, tree: string) => (mayLookAt(resolve(dirname(file), tree)) ? '' : line))
  return configProblem(without, kind)
}

/** Submodules keep theirs below the repository's, under names of any kind and as deep as they are nested. null: too many. */
function moduleConfigs(directory: string): string[] | null {
  const configs: string[] = []
  let looked = 0
  const walk = (at: string): boolean => {
    const stat = look(statSync, at)
    if (stat === 'unseen') return false
    if (!stat?.isDirectory()) return true
    looked += 1
    if (looked > MOST_MODULES) return false
    // A repository has its own submodules in one place; everything else in it is objects and references.
    if (isAny(at, 'HEAD')) {
      configs.push(join(at, 'config'), join(at, 'config.worktree'))
      return walk(join(at, 'modules'))
    }
    return readdirSync(at).every(name => walk(join(at, name)))
  }
  return walk(directory) ? configs : null
}

/** Not there, or not ours to read: null, and the caller decides what that means. */
const read = (file: string): string | null => plainFile(file)?.toString('utf8') ?? null
