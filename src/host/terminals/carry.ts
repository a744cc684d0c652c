import type { CarriedState } from '../../base/process/pty.ts'
import type { Carried } from '../../contract/tool/response.ts'
import { unsafeVariable } from '../../policy/model/request-env.ts'
import { isNeverGivenOn } from '../../runs/plan/base-env.ts'

/** What a terminal's runs have changed of its environment so far; null: unset. In memory only. */
export type CarriedEnv = Readonly<Record<string, string | null>>

/** What a run changed: what its terminal takes over, and what is said about it. */
export interface CarriedChange {
  readonly cwd: string | null
  readonly env: CarriedEnv
  readonly said: Carried | null
}

// A shell sets these by itself, or our terminal does.
const SHELLS_OWN = /^(PWD|OLDPWD|SHLVL|_|TERM|INTERACTIVE_TERMINAL_.*)$/
const SET_WHERE_MISSING = /^(LOGNAME|USER|HOST)$/
const MOST_NAMES = 256
const MOST_BYTES = 128 * 1024

/** The difference between how a run was started and where it stood at its end. */
export function changeOf(
  started: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ended: CarriedState,
): CarriedChange {
  const names = [...new Set([...Object.keys(started.env), ...Object.keys(ended.env)])]
  const changed = names.filter(
    name =>
      started.env[name] !== ended.env[name] &&
      !SHELLS_OWN.test(name) &&
      !(SET_WHERE_MISSING.test(name) && started.env[name] === undefined),
  )
  const leftOut = changed.filter(name => isNeverGivenOn(name) || !/^[A-Za-z_]\w*$/.test(name)).sort()
  const kept = changed.filter(name => !leftOut.includes(name)).sort()
  const env = Object.fromEntries(kept.map(name => [name, ended.env[name] ?? null]))
  const cwd = ended.cwd === '' || ended.cwd === started.cwd ? null : ended.cwd
  if (kept.length > MOST_NAMES || sizeOf(env) > MOST_BYTES)
    return { cwd, env: {}, said: { ...(cwd && { cwd }), nothing: 'it changed more variables than a terminal keeps' } }
  const said = {
    ...(cwd !== null && { cwd }),
    ...(kept.length > 0 && { env: kept }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(ended.cwd === '' && { nothing: 'the directory it ended in is gone' }),
  }
  return { cwd, env, said: Object.keys(said).length > 0 ? said : null }
}

export function withCarried(
  env: Readonly<Record<string, string>>,
  carried: CarriedEnv,
): Readonly<Record<string, string>> {
  const made: Record<string, string> = { ...env }
  for (const [name, value] of Object.entries(carried))
    if (value === null) delete made[name]
    else made[name] = value
  return made
}

/** Carried variables that could change what a command does: with them every command needs approval. */
export const unsafeCarried = (carried: CarriedEnv): string[] =>
  Object.entries(carried)
    .filter(([name, value]) => unsafeVariable({ [name]: value ?? '' }) !== null)
    .map(([name]) => name)

const sizeOf = (env: CarriedEnv): number =>
  Object.entries(env).reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0)
