import { accessSync, constants, lstatSync, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, parse, sep } from 'node:path'
import { isInside } from '../../policy/judge/decide.ts'
import { isPlainLocale } from '../../policy/model/request-env.ts'
import type { Facts, Workspace } from '../../policy/rules/rules.ts'
import { expandFrom } from './expand-globs.ts'
import { firstLineOf, startOf } from './first-line.ts'
import { hasSubmodules, isTracked } from './git-index.ts'
import { repositoryProblem, repositoryTop } from './repository-problem.ts'
import { fileThatChooses } from './version-files.ts'

/** What is the same for every line that is judged on this machine. */
export interface Machine {
  /** Where anybody can put files. */
  readonly tmp: readonly string[]
  readonly ours: readonly string[]
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** How a program begins, from whoever keeps that. */
  readonly firstLine?: (path: string) => string | null
}

/** What the gate asks the disk. */
export function diskFacts(
  options: Machine & { readonly path: string; readonly workspace: Workspace | null; readonly cwd: string },
): Facts {
  const { workspace, cwd, tmp } = options
  const found = new Map<string, ReturnType<Facts['program']>>()
  // One judgement is one look: what it asks twice it is told once. Right before the start all that counts is looked at again.
  const led = new Map<string, string>()
  const looked = new Map<string, Stats | undefined>()
  return {
    realPath: leadsTo,
    ours: options.ours,
    repositoryProblem,
    tracked: isTracked,
    submodules: hasSubmodules,
    repositoryTop,
    list,
    text,
    expand: expandFrom,
    home: options.env['HOME'] ?? null,
    otherCharset: otherCharset(options.env),
    // The gate and the plan ask for the same name: both get the same file.
    program(name) {
      const program = found.get(name) ?? lookUp(name)
      found.set(name, program)
      return program
    },
  }

  function leadsTo(path: string, from = ''): string {
    const key = `${from}\0${path}`
    const real = led.get(key) ?? realPath(path, from, lookOnce)
    if (led.size < MOST_REMEMBERED) led.set(key, real)
    return real
  }

  function lookOnce(path: string): Stats | undefined {
    const known = looked.get(path)
    if (known !== undefined || looked.has(path)) return known
    const found = look(path)
    if (looked.size < MOST_REMEMBERED) looked.set(path, found)
    return found
  }

  function lookUp(name: string, depth = 0): ReturnType<Facts['program']> {
    // Named by path: only a rule that names this same path can have matched it.
    if (name.includes('/') || name.includes(sep)) {
      const path = isAbsolute(name) ? name : join(cwd, name)
      return isProgram(path) ? { path } : { problem: 'is not a program' }
    }
    const endings = extensions(options.platform)
    for (const { directory, within } of placesOn(options.path)) {
      if (within === null) return { problem: 'may be found in whatever directory the line is in' }
      const ending = endings.find(each => isProgram(within + name + each))
      if (ending === undefined) continue
      const path = within + name + ending
      return placeProblem(directory, path) ?? chosenHere(directory) ?? interpreterProblem(path, depth) ?? { path }
    }
    return { problem: 'is not found on the PATH', absent: true }
  }

  /** Neither where it is found nor where it leads may be a place that strangers write to. */
  function placeProblem(directory: string, path: string): { readonly problem: string } | null {
    for (const real of [leadsTo(directory), dirname(leadsTo(path))]) {
      if (tmp.some(dir => isInside(dir, real)))
        return { problem: `is found in ${directory}, where anybody can put files` }
      if (!workspace?.trusted && !SYSTEM.includes(real) && isInside(workspace?.directory ?? cwd, real))
        return { problem: `is found inside the ${workspace ? 'workspace' : 'current directory'}, which is not trusted` }
    }
    return null
  }

  /** A version manager starts what a file of the folder names. */
  function chosenHere(directory: string): { readonly problem: string } | null {
    const file = workspace?.trusted ? null : fileThatChooses(directory, cwd)
    return file === null ? null : { problem: `may be any program that ${file} names` }
  }

  /** A script is run by the program its first line names, often by whatever is called so on the PATH. */
  function interpreterProblem(path: string, depth: number): { readonly problem: string } | null {
    const first = /^#!\s*(\S+)[ \t]*([^\n]*)/.exec((options.firstLine ?? firstLineOf)(path) ?? '')
    if (!first) return null
    const [, program = '', rest = ''] = first
    const words = /(^|\/)env$/.test(program)
      ? rest
          .split(/\s+/)
          .filter(word => !/^-|=/.test(word))
          .slice(0, 1)
      : []
    if (depth >= MOST_INTERPRETERS || (words.length === 0 && !isAbsolute(program)))
      return { problem: 'is a script, and what runs it is not known' }
    const found = words[0] === undefined ? placeProblem(dirname(program), program) : lookUp(words[0], depth + 1)
    if (found !== null && 'problem' in found)
      return { problem: `is run by ${words[0] ?? program}, which ${found.problem}` }
    return plantedProblem()
  }

  /** What a script starts it looks for on the PATH, as egrep does with grep. */
  function plantedProblem(): { readonly problem: string } | null {
    const places = options.path.split(delimiter)
    const last = places.findLastIndex(place => SYSTEM.includes(place))
    for (const directory of places.slice(0, Math.max(0, last))) {
      const place = list(directory) === null ? null : placeProblem(directory, join(directory, 'any'))
      if (place !== null) return { problem: `is a script, and what it starts ${place.problem}` }
    }
    return null
  }
}

interface PathPlace {
  readonly directory: string
  /** What stands before a name in it; null: it is no absolute path. */
  readonly within: string | null
}

let placesBefore: { readonly path: string; readonly places: readonly PathPlace[] } = { path: '', places: [] }

/** The directories of a PATH, which is nearly always the one of before. */
function placesOn(path: string): readonly PathPlace[] {
  if (placesBefore.path !== path || placesBefore.places.length === 0) {
    const placed = (directory: string) => ({ directory, within: isAbsolute(directory) ? join(directory, sep) : null })
    placesBefore = { path, places: path.split(delimiter).map(placed) }
  }
  return placesBefore.places
}

const MOST_INTERPRETERS = 3
const MOST_REMEMBERED = 1000

/** Where the system keeps its programs, also for somebody who works in / or /usr. */
const SYSTEM = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']

const extensions = (platform: NodeJS.Platform): readonly string[] =>
  platform === 'win32' ? ['.exe', '.com', ''] : ['']

function isProgram(path: string): boolean {
  // Called for every directory of the PATH: an exception for each that lacks the file would cost more than the look.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // not ours to run
  }
}

/**
 * Where a path really leads, walked name by name as the system does it: a link is followed before the `..` behind it
 * counts, also when it leads nowhere; what does not exist yet is taken as it is written. `from` is a real directory.
 */
export function realPath(path: string, from = '', lookAt = look): string {
  const { root } = parse(path)
  let at = root === '' ? from : root
  const ahead = path.slice(root.length).split(SEPARATORS).reverse()
  // How many of the last names are not there: below them nothing is, and nobody has to look. Words may have thousands of names.
  let missing = 0

  for (let links = 0; ahead.length > 0; ) {
    const name = ahead.pop() ?? ''
    if (name === '' || name === '.') continue
    if (name === '..') {
      at = dirname(at)
      missing = Math.max(0, missing - 1)
      continue
    }

    const next = at === '' || at.endsWith(sep) ? at + name : at + sep + name
    const found = missing > 0 ? undefined : lookAt(next)
    if (!found) missing += 1
    if (!found?.isSymbolicLink() || links >= MOST_LINKS) {
      at = next
      continue
    }

    links += 1
    const target = readlinkSync(next)
    const targetRoot = parse(target).root
    if (targetRoot !== '') at = targetRoot
    ahead.push(...target.slice(targetRoot.length).split(SEPARATORS).reverse())
  }

  return at
}

const MOST_LINKS = 40
const SEPARATORS = sep === '/' ? /\/+/ : /[\\/]+/

/** Most words of a command are no files at all, and some could not even be one: too long, or below a file. */
function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // what cannot exist does not exist
  }
}

function list(directory: string): ReturnType<Facts['list']> {
  try {
    return readdirSync(directory, { withFileTypes: true }).map(entry => ({
      name: entry.name,
      kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'other',
    }))
  } catch {
    return null // no directory, or not ours to read
  }
}

const LONGEST_TEXT = 64 * 1024

const text = (path: string): string | null => startOf(path, LONGEST_TEXT)

/** Bash reads a line in the character set of its locale; in some of them half of a character is a backslash. */
function otherCharset({ LC_ALL, LC_CTYPE, LANG }: Readonly<Record<string, string | undefined>>): string | null {
  const locale = LC_ALL || LC_CTYPE || LANG || 'C'
  return isPlainLocale(locale) ? null : locale
}
