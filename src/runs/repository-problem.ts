import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { configProblem } from '../policy/git-config.ts'

const LARGEST_CONFIG_BYTES = 256 * 1024
const MOST_MODULES = 200

/** Why git may not run unasked in this directory: something in the repository around it could start a program. */
export function repositoryProblem(cwd: string): string | null {
  for (let at = cwd; ; at = dirname(at)) {
    const found = gitDirectory(at)
    if (found === 'strange') return 'the repository points to its data in a way that cannot be read here'
    if (found !== null) return problemOf(found, at)
    if (dirname(at) === at) return null
  }
}

/** The directory git would take for its own: `.git`, what a file `.git` names, or a bare repository. */
function gitDirectory(at: string): string | 'strange' | null {
  const dotGit = join(at, '.git')
  const stat = lstatSync(dotGit, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return dotGit
  if (stat?.isFile()) {
    const target = /^gitdir: (.+)\n?$/.exec(read(dotGit) ?? '')?.[1]
    return target === undefined ? 'strange' : resolve(at, target)
  }
  if (stat) return 'strange'
  const bare = ['HEAD', 'objects', 'refs'].every(name => statSync(join(at, name), { throwIfNoEntry: false }))
  return bare ? at : null
}

function problemOf(git: string, top: string): string | null {
  // A linked work tree keeps its configuration in the main one.
  const common = read(join(git, 'commondir'))?.trim()
  const shared = common === undefined ? git : isAbsolute(common) ? common : join(git, common)
  const files = [join(shared, 'config'), join(git, 'config.worktree'), ...moduleConfigs(join(shared, 'modules'))]
  for (const file of files) {
    const problem = problemIn(file, 'config')
    if (problem) return problem
  }
  return problemIn(join(top, '.gitmodules'), 'modules')
}

function problemIn(file: string, kind: 'config' | 'modules'): string | null {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return null
  const text = stat.isFile() && stat.size <= LARGEST_CONFIG_BYTES ? read(file) : null
  return text === null ? `${file} cannot be read` : configProblem(text, kind)
}

/** Submodules keep theirs below the repository's, as deep as they are nested. */
function moduleConfigs(directory: string): string[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return []
  const configs: string[] = []
  const look = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (configs.length > MOST_MODULES) return
      if (entry.name === 'config' && entry.isFile()) configs.push(join(at, entry.name))
      // Objects and references are many and hold no configuration.
      else if (entry.isDirectory() && !['objects', 'refs', 'logs', 'hooks', 'info'].includes(entry.name))
        look(join(at, entry.name))
    }
  }
  look(directory)
  return configs
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null // not there, or not ours to read; the caller decides what that means
  }
}
