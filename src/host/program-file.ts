import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { TermError } from '../contract/errors.ts'

/** The file a name stands for, whoever may write there: what a person approves is theirs to judge, but it is pinned. */
export function programOn(path: string, name: string, cwd: string, platform: NodeJS.Platform): string | null {
  const endings = platform === 'win32' ? ['.exe', '.com', '.cmd', '.bat', ''] : ['']
  const directories = name.includes('/') ? [cwd] : path.split(delimiter).filter(isAbsolute)
  for (const directory of directories)
    for (const ending of endings) {
      const file = isAbsolute(name) ? name : join(directory, name + ending)
      if (isExecutable(file)) return file
    }
  return null
}

export function neededProgram(
  path: string,
  what: { readonly command: string } | { readonly shell: string },
  cwd: string,
  platform: NodeJS.Platform,
): string {
  const name = 'shell' in what ? what.shell : what.command
  const found = programOn(path, name, cwd, platform)
  if (found !== null) return found
  throw new TermError(
    'PM_TERM_INVALID_PAYLOAD',
    'shell' in what
      ? `The shell ${name} is not on this machine. Choose another terminal_profile, or install it. Nothing ran.`
      : `There is no program ${name} on the PATH. Nothing ran.`,
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false // not there, or not ours to run
  }
}
