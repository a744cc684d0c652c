import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, sep } from 'node:path'
import { invalidPayload } from '../../contract/tool/issues.ts'

/** A program that may be started as the host. */
export interface HostCandidate {
  readonly source: 'configured' | 'bundled' | 'path'
  readonly program: string
  /** What comes before our own arguments: for a script, the script. */
  readonly args: readonly string[]
}

/** A place that was looked at and why it does not count. */
export interface Rejected {
  readonly source: HostCandidate['source']
  readonly path: string
  readonly problem: string
}

export interface BinaryPlaces {
  /** What the person put into settings.json or PM_INTERACTIVE_TERMINAL_BINARY. */
  readonly configured: readonly string[]
  /** This very executable and the Node that runs it. */
  readonly bundled: { readonly node: string; readonly flags: readonly string[]; readonly script: string }
  readonly path: string
  /** Directories an agent writes to: nothing in them is started. */
  readonly workspaces: readonly string[]
  readonly platform: NodeJS.Platform
}

export type AdapterChoice = 'local' | 'bundled' | 'local_or_bundled_auto'

/**
 * Programs to try, in order: configured, bundled, PATH (docs/spec.md §4.4). The agent's own `binary_path` counts only when it is
 * one the person configured: an agent must not name a program to start.
 */
export function findHostBinary(
  places: BinaryPlaces,
  options: { readonly choice: AdapterChoice; readonly binaryPath: string | null },
): { readonly candidates: readonly HostCandidate[]; readonly rejected: readonly Rejected[] } {
  const candidates: HostCandidate[] = []
  const rejected: Rejected[] = []
  const consider = (source: HostCandidate['source'], path: string, args: readonly string[] = []) => {
    const problem = args.length > 0 ? null : executableProblem(path)
    if (problem === null) candidates.push({ source, program: path, args })
    else rejected.push({ source, path, problem })
  }
  const configured =
    options.binaryPath === null ? places.configured : [allowedPath(options.binaryPath, places.configured)]
  if (options.choice !== 'bundled' || options.binaryPath !== null)
    for (const path of configured) {
      refuseRelative('PM_INTERACTIVE_TERMINAL_BINARY', path)
      consider('configured', path)
    }
  if (options.choice !== 'local') {
    const { node, flags, script } = places.bundled
    consider('bundled', node, [...flags, script])
  }
  if (options.choice !== 'bundled')
    for (const { path, problem } of onPath(places))
      if (problem === null) consider('path', path)
      else rejected.push({ source: 'path', path, problem })
  return { candidates, rejected }
}

/** Compared by what the paths really are, so that a link cannot pass for another program. */
function allowedPath(wanted: string, configured: readonly string[]): string {
  refuseRelative('runtime.binary_path', wanted)
  const real = realOrNull(wanted)
  const allowed = real === null ? undefined : configured.find(path => isAbsolute(path) && realOrNull(path) === real)
  if (allowed !== undefined) return allowed
  throw invalidPayload(
    [{ field: 'runtime.binary_path', problem: 'is not a program the person has configured, so it is not started' }],
    'A person can allow it: PM_INTERACTIVE_TERMINAL_BINARY in settings.json.',
  )
}

function refuseRelative(field: string, path: string): void {
  if (!isAbsolute(path)) throw invalidPayload([{ field, problem: 'must be an absolute path' }])
}

/** Every `interactive-terminal` on PATH, in order; null for those in a place only the person writes to. */
function onPath({ path, workspaces, platform }: BinaryPlaces): { path: string; problem: string | null }[] {
  const names = platform === 'win32' ? ['interactive-terminal.exe'] : ['interactive-terminal']
  const roots = workspaces.map(each => realOrNull(each) ?? each)
  return path.split(delimiter).flatMap(directory =>
    names
      .map(name => join(directory, name))
      .filter(file => directory !== '' && statSync(file, { throwIfNoEntry: false })?.isFile())
      .map(file => ({ path: file, problem: placeProblem(directory, file, roots) })),
  )
}

function placeProblem(directory: string, file: string, workspaces: readonly string[]): string | null {
  if (!isAbsolute(directory)) return 'its directory on PATH is relative'
  const real = [realOrNull(directory) ?? directory, realOrNull(file) ?? file]
  if (real.some(each => each.split(sep).join('/').includes('/node_modules/.bin')))
    return 'it is in node_modules/.bin, which a project fills'
  if (real.some(each => workspaces.some(root => each === root || each.startsWith(root + sep))))
    return 'it is in the workspace, which the agent writes to'
  const stat = statSync(directory, { throwIfNoEntry: false })
  if (process.platform !== 'win32' && stat && (stat.mode & 0o022) !== 0)
    return 'its directory can be written by other users'
  return null
}

function executableProblem(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 'does not exist'
  if (!stat.isFile()) return 'is not a file'
  if (process.platform !== 'win32' && (stat.mode & 0o002) !== 0) return 'can be written by every user'
  try {
    accessSync(path, constants.X_OK)
    return null
  } catch {
    return 'is not executable'
  }
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}
