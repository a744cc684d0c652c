import { accessSync, constants, lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, parse, sep } from 'node:path'
import { isInside } from '../policy/decide.ts'
import type { Facts, Workspace } from '../policy/rules.ts'
import { repositoryProblem } from './repository-problem.ts'

/** What the gate asks the disk. */
export function diskFacts(options: {
  readonly path: string
  readonly workspace: Workspace | null
  readonly cwd: string
  readonly tmp: readonly string[]
  readonly ours: readonly string[]
  readonly platform: NodeJS.Platform
}): Facts {
  const { workspace, cwd, tmp } = options
  const found = new Map<string, ReturnType<Facts['program']>>()
  return {
    realPath,
    ours: options.ours,
    repositoryProblem,
    // The gate and the plan ask for the same name: both get the same file.
    program(name) {
      const program = found.get(name) ?? lookUp(name)
      found.set(name, program)
      return program
    },
  }

  function lookUp(name: string): ReturnType<Facts['program']> {
    // Named by path: only a rule that names this same path can have matched it.
    if (name.includes('/') || name.includes(sep)) {
      const path = isAbsolute(name) ? name : join(cwd, name)
      return isProgram(path) ? { path } : { problem: 'is not a program' }
    }
    for (const directory of options.path.split(delimiter)) {
      if (!isAbsolute(directory)) continue
      const path = extensions(options.platform)
        .map(extension => join(directory, name + extension))
        .find(isProgram)
      if (path === undefined) continue
      const real = realPath(directory)
      if (tmp.some(dir => isInside(dir, real)))
        return { problem: `is found in ${directory}, where anybody can put files` }
      if (!workspace?.trusted && !SYSTEM.includes(real) && isInside(workspace?.directory ?? cwd, real))
        return { problem: `is found inside the ${workspace ? 'workspace' : 'current directory'}, which is not trusted` }
      return { path }
    }
    return { problem: 'is not found on the PATH' }
  }
}

/** Where the system keeps its programs, also for somebody who works in / or /usr. */
const SYSTEM = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']

const extensions = (platform: NodeJS.Platform): readonly string[] =>
  platform === 'win32' ? ['.exe', '.com', ''] : ['']

function isProgram(path: string): boolean {
  // Asked for every directory of the PATH: an exception for each that lacks the file would cost more than the look.
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
 * counts, also when it leads nowhere; what does not exist yet stands for itself. `from` is a real directory.
 */
export function realPath(path: string, from = ''): string {
  const { root } = parse(path)
  let at = root === '' ? from : root
  let ahead = path.slice(root.length).split(SEPARATORS)
  for (let links = 0; ahead.length > 0; ) {
    const [name = '', ...rest] = ahead
    ahead = rest
    if (name === '' || name === '.') continue
    if (name === '..') {
      at = dirname(at)
      continue
    }
    const next = join(at, name)
    if (!look(next)?.isSymbolicLink() || links >= MOST_LINKS) {
      at = next
      continue
    }
    links += 1
    const target = readlinkSync(next)
    const targetRoot = parse(target).root
    if (targetRoot !== '') at = targetRoot
    ahead = [...target.slice(targetRoot.length).split(SEPARATORS), ...rest]
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
