import { realpathSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What makes a virtual environment count, without sourcing any file of it. */
export function venvEnv(venv: string | null, path: string): Record<string, string> {
  const programs = venv === null ? null : programsOf(venv)
  return venv === null || programs === null
    ? {}
    : { VIRTUAL_ENV: venv, PATH: [programs, path].filter(part => part !== '').join(delimiter) }
}

/** The real directory of the first `.venv` or `venv` in these. */
export const findVenv = (directories: readonly string[]): string | null =>
  directories
    .flatMap(directory => [join(directory, '.venv'), join(directory, 'venv')])
    .map(realDirectory)
    .find(found => found !== null && isVenv(found)) ?? null

export const isVenv = (directory: string): boolean => programsOf(directory) !== null

const programsOf = (venv: string): string | null =>
  ['bin', 'Scripts'].map(name => realDirectory(join(venv, name))).find(found => found !== null) ?? null

/** null: there is no directory. */
export function realDirectory(path: string): string | null {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : null
  } catch {
    return null // the caller says which field named it
  }
}
