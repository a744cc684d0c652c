import { isAbsolute, join, resolve } from 'node:path'
import { TermError } from '../../contract/tool/errors.ts'
import { drawable } from '../../contract/tool/issues.ts'
import { programOn } from '../../runs/plan/program-on.ts'
import { isVenv, realDirectory } from '../../runs/plan/virtual-env.ts'
import { shellFor } from '../terminals/shell-profile.ts'
import type { ShellPlace, WantedShell } from '../terminals/wanted-shell.ts'
import type { HostWorld } from './gate.ts'

/** Where it would be, as it really is on disk. Throws what speaks against it, for a person, before anything is ended or opened. */
export function needShell(
  { shell, platform, env, home }: Pick<HostWorld, 'shell' | 'platform' | 'env' | 'home'>,
  { profile, ...wanted }: WantedShell,
  fallback: string,
): ShellPlace {
  const fromHome = (path: string): string => (/^~(?=$|[\\/])/.test(path) ? join(home, path.slice(1)) : path)
  const place = wanted.cwd === null ? fallback : fromHome(wanted.cwd.trim())
  if (!isAbsolute(place)) throw refuse(`Write the directory from the root on, or with ~: ${drawable(place)}.`)
  const cwd = realDirectory(place)
  if (cwd === null) throw refuse(`There is no directory ${drawable(place)}. Nothing was opened.`)

  const venv = wanted.venv === null ? null : realDirectory(resolve(cwd, fromHome(wanted.venv.trim())))
  if (wanted.venv !== null && (venv === null || !isVenv(venv)))
    throw refuse(`${drawable(wanted.venv)} is no virtual environment in ${drawable(cwd)}. Nothing was opened.`)

  const { program } = shellFor(profile, { shell, platform })
  if (programOn(env.PATH ?? '', program, cwd, platform) === null)
    throw refuse(`The shell ${program} is not on this machine. Choose another one, or install it. Nothing was opened.`)
  return { cwd, venv }
}

const refuse = (message: string): TermError => new TermError('PM_TERM_INVALID_PAYLOAD', message)
