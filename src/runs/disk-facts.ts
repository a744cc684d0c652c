import { accessSync, constants, readlinkSync, realpathSync, statSync } from 'node:fs'
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
  return {
    realPath: path => realPath(path),
    ours: options.ours,
    program(name) {
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
    },
  }
}

const extensions = (platform: NodeJS.Platform): readonly string[] =>
  platform === 'win32' ? ['.exe', '.com', ''] : ['']

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // not there, or not ours to run
  }
}

/** Real path of what exists, with what does not exist yet behind it. A link is followed also when it leads nowhere. */
export function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    if (parent === path || links > 40) return path
    const target = linkTarget(path)
    if (target !== null) return realPath(resolve(realPath(parent, links + 1), target), links + 1)
    return join(realPath(parent, links), basename(path))
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null // not a link
  }
}
