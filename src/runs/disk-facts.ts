import { accessSync, constants, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { isInside } from '../policy/decide.ts'
import type { Facts, Workspace } from '../policy/rules.ts'

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
    realPath: path => realPath(path),
    ours: options.ours,
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
      if (workspace && !workspace.trusted && isInside(workspace.directory, real))
        return { problem: 'is found inside the workspace, which is not trusted' }
      return { path }
    }
    return { problem: 'is not found on the PATH' }
  }
}

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

/** Real path of what exists, with what does not exist yet behind it. A link is followed also when it leads nowhere. */
export function realPath(path: string, links = 0): string {
  // Most words of a command are no files at all: asked for gently, an absent one costs no exception.
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat && !stat.isSymbolicLink()) return realpathSync.native(path)
  const parent = dirname(path)
  if (parent === path || links > 40) return path
  if (!stat) return join(realPath(parent, links), basename(path))
  const target = resolve(realPath(parent, links + 1), readlinkSync(path))
  return realPath(target, links + 1)
}
