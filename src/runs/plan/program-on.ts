import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/**
 * The file a name stands for, whoever may write there: what a person approves is theirs to judge, but it is pinned. A shell takes a
 * directory of the PATH that is not absolute, or has no name, for one below the directory it is in, and so does this.
 */
export function programOn(path: string, name: string, cwd: string, platform: NodeJS.Platform): string | null {
  const endings = platform === 'win32' ? ['.exe', '.com', '.cmd', '.bat', ''] : ['']
  const directories = name.includes('/') ? [cwd] : directoriesOf(path, cwd)
  for (const directory of directories)
    for (const ending of endings) {
      const file = isAbsolute(name) ? name : join(directory, name + ending)
      if (isExecutable(file)) return file
    }
  return null
}

export const directoriesOf = (path: string, cwd: string): string[] =>
  path === ''
    ? []
    : path.split(delimiter).map(directory => (isAbsolute(directory) ? directory : resolve(cwd, directory)))

/** Called for many names that are not there: an exception for each would cost more than the look. */
function isExecutable(file: string): boolean {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // not there, or not ours to run
  }
}
