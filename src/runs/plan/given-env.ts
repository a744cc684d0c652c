import { Redactor } from '../secrets/redactor.ts'
import { isSecretVariable } from '../secrets/secret-variables.ts'
import { inheritedEnv, withOwnGit } from './base-env.ts'
import { calmEnv } from './calm-env.ts'

type Env = Readonly<Record<string, string>>

/** An environment to start with, and the names that were left out of it. */
export interface GivenEnv {
  readonly env: Env
  readonly leftOut: readonly string[]
}

/** What commands are given of the environment of whoever starts them; worked out once. */
export interface GivenEnvs {
  /** All that commands inherit. */
  readonly all: Env
  /** For what a person approved. */
  readonly approved: GivenEnv
  /** For what a rule covers: nobody saw this very command, so it gets nothing that looks like a token. */
  readonly unapproved: GivenEnv
}

/** Whatever is redacted in output: tokens are left out here. */
const SHAPES = new Redactor({ shapes: 'on', own: () => [] })

/** What a program may do with its output; a terminal is what its owner makes it, whatever a request says. */
const TERMINALS = { headless: 'dumb', interactive: 'xterm-256color' } as const

/** `handOn`: the person's setting, names with commas between that are always given on. */
export function givenEnvs(
  env: Readonly<Record<string, string | undefined>>,
  lane: 'headless' | 'interactive',
  handOn: string,
): GivenEnvs {
  const inherited = inheritedEnv(env)
  const all: Record<string, string> = { ...calmEnv(lane), ...inherited, TERM: TERMINALS[lane] }
  const always = new Set(handOn.split(',').map(name => name.trim()))
  const leftOut = Object.entries(all)
    .filter(([name, value]) => !always.has(name) && isSecretVariable(name, value, SHAPES))
    .map(([name]) => name)
    .sort()

  const unapproved: Record<string, string> = { ...all }
  for (const name of leftOut) delete unapproved[name]
  return {
    all,
    approved: { env: withOwnGit(all), leftOut: [] },
    unapproved: { env: unapproved, leftOut },
  }
}

const MOST_NAMED = 5

/** For whoever asked for a command that failed, and that may have failed for this. */
export function leftOutNote(leftOut: readonly string[]): string {
  const more = leftOut.length - MOST_NAMED
  const names = `${leftOut.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `It ran without ${names}: a person's approval or the setting PM_TERM_HAND_ON hands them on.`
}
