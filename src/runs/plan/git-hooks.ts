import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Programs that git starts by itself in this repository, found by looking, never by asking the repository how. */
export function gitHooks(from: string): string[] {
  const directory = hooksOf(from)
  if (directory === null) return []
  try {
    return readdirSync(directory)
      .filter(name => !name.endsWith('.sample'))
      .map(name => join(directory, name))
      .filter(isProgram)
  } catch {
    return [] // none were ever put there
  }
}

/** Of a work tree beside the repository it is the repository's own. */
function hooksOf(from: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const git = join(at, '.git')
    const stat = statSync(git, { throwIfNoEntry: false })
    if (stat?.isDirectory()) return join(git, 'hooks')
    if (stat?.isFile()) {
      const own = resolve(at, firstLine(git).replace(/^gitdir:\s*/, ''))
      return join(resolve(own, firstLine(join(own, 'commondir')) || '.'), 'hooks')
    }
    if (dirname(at) === at) return null
  }
}

function firstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n', 1)[0]?.trim() ?? ''
  } catch {
    return '' // there is none
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // not there, or not ours to run
  }
}
