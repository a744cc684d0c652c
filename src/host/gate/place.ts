import { isAbsolute, resolve } from 'node:path'
import { TermError } from '../../contract/tool/errors.ts'
import { type Issue, invalidPayload, noDirectory } from '../../contract/tool/issues.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import { findVenv, isVenv, realDirectory } from '../../runs/plan/virtual-env.ts'
import type { Terminal } from '../terminals/terminal.ts'

/** Where a request wants to run, as it really is on disk now. */
export interface RunPlace {
  readonly cwd: string
  readonly venv: string | null
  readonly workspaceDirectory: string | null
}

/**
 * Where a request runs in this terminal. A directory it has walked into and that is gone meanwhile is no reason to run
 * elsewhere, where the same words could mean something else: nothing runs, and the next request finds the terminal back home.
 */
export function placeIn(terminal: Pick<Terminal, 'cwd' | 'home' | 'backHome'>, request: CommandRequest): RunPlace {
  const { cwd, home } = terminal
  if (request.working_directory !== undefined || cwd === home || realDirectory(cwd) !== null)
    return placeOf(request, cwd)
  terminal.backHome()
  throw new TermError(
    'PM_TERM_INVALID_PAYLOAD',
    `The terminal stood in ${cwd}, which is gone. Nothing ran. The terminal is back in ${home}.`,
    { details: { reason: 'directory_gone', cwd, issues: [{ field: 'runtime.cwd', problem: 'is gone' }] } },
  )
}

/** Where it runs, from `fallback` on. Throws all that is wrong with its directories, at once. */
export function placeOf(request: CommandRequest, fallback: string): RunPlace {
  const issues: Issue[] = []
  const real = (field: string, path: string): string | null => {
    const problem = isAbsolute(path) ? null : 'must be an absolute path'
    const found = problem === null ? realDirectory(path) : null
    if (found === null) issues.push({ field, problem: problem ?? noDirectory(path, 'is not an existing directory') })
    return found
  }

  const wanted = request.working_directory ?? fallback
  const cwd = real('working_directory', wanted)
  const { workspace_path } = request
  const workspaceDirectory =
    workspace_path === undefined
      ? null
      : workspace_path === wanted && cwd !== null
        ? cwd
        : real('workspace_path', workspace_path)

  let venv: string | null = null
  if (request.activate_venv !== false && request.venv_path !== undefined && cwd !== null) {
    venv = realDirectory(resolve(cwd, request.venv_path))
    if (venv === null || !isVenv(venv)) issues.push({ field: 'venv_path', problem: 'is not a virtual environment' })
  } else if (request.activate_venv === true && cwd !== null) {
    venv = findVenv([cwd, ...(workspaceDirectory === null ? [] : [workspaceDirectory])])
    if (venv === null) issues.push({ field: 'activate_venv', problem: 'there is no .venv or venv here' })
  }

  if (issues.length > 0 || cwd === null) throw invalidPayload(issues)
  return { cwd, venv, workspaceDirectory }
}
