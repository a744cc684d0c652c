import { basename, dirname, join, resolve } from 'node:path'
import { isPrecious } from '../destructive/precious-paths.ts'
import { isInside } from '../model/inside.ts'
import type { Facts, Workspace } from '../rules/rules.ts'
import type { WriteTarget } from './write-targets.ts'

/** Where a line may be expected to write: the workspace, else the repository around, else the directory it runs in. */
export function projectAt(
  cwd: string,
  { workspace, facts }: { workspace: Workspace | null; facts: Facts },
): string | null {
  const here = facts.realPath(cwd, '')
  const project =
    workspace && isInside(workspace.directory, here) ? workspace.directory : (workTreeAt(here, facts) ?? here)
  // Nobody's project is a home or a directory of the system.
  return isPrecious(project, '/') ? null : project
}

/** The top of the git work tree around a real directory. */
export function workTreeAt(directory: string, facts: Facts): string | null {
  for (let at = directory; ; at = dirname(at)) {
    if (facts.list(at)?.some(({ name }) => name === '.git')) return at
    if (dirname(at) === at) return null
  }
}

const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp', '/dev/shm']
const NO_FILE = /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/
const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/

/** Where a written word leads; null: to no file, to a temporary one, or nobody can say. */
export function writtenAt(
  { path, changes }: WriteTarget,
  { cwd, project, facts }: { readonly cwd: string | null; readonly project: string | null; readonly facts: Facts },
): { readonly path: string; readonly isOutside: boolean } | null {
  const written = path.replace(/^\$(?:PWD|\{PWD\})(?=\/|$)/, '.')
  // What a variable stands for is known when it runs.
  if (/^\d*-?$/.test(written) || /[$`]/.test(written.replace(HOME, '')) || /^\w+:\/\//.test(written)) return null
  const home = /^(?:\/(?:home|Users)\/[^/]+|\/root)(?=\/|$)/.exec(cwd ?? '')?.[0]
  if (HOME.test(written) && home === undefined) return { path: written, isOutside: true }
  const plain = written.replace(HOME, home ?? '')
  if (cwd === null && !plain.startsWith('/')) return null
  const from = facts.realPath(cwd ?? '/', '')
  const real =
    changes === 'name'
      ? join(facts.realPath(dirname(plain), from), basename(resolve(from, plain)))
      : facts.realPath(plain, from)
  if (NO_FILE.test(real)) return null
  if (project !== null && isInside(project, real)) return { path: written, isOutside: false }
  // What is put beside a project that lies there itself is as much outside as anywhere.
  const isTemporary = (at: string): boolean => TEMPORARY.some(directory => isInside(directory, at))
  return isTemporary(real) && !(project !== null && isTemporary(project)) ? null : { path: real, isOutside: true }
}
