import type { Shell } from '../model/reading.ts'
import type { GateLane, Verdict } from '../model/verdict.ts'
import { NO_MACHINE } from '../rules/no-machine.ts'
import { readPattern } from '../rules/pattern.ts'
import type { Rule } from '../rules/rules.ts'
import { decide } from './decide.ts'

/** One line of `policy eval`: how the gate is scored, by us and by strangers (docs/policy.md). */
export interface PolicyCase {
  readonly id: string
  readonly shell?: Shell | undefined
  readonly allowlist: readonly string[]
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly lane?: GateLane | undefined
}

export type PolicyAnswer = { readonly id: string } & Verdict

const SOMEWHERE = '/home/user/projects/app'

/** Judges a case by its own allowlist alone: the defaults are off. Pure. */
export function evaluate(given: PolicyCase): PolicyAnswer {
  const shell = given.shell ?? 'bash'
  const rules = rulesOf(given.allowlist, shell)
  const verdict = decide(
    { command: given.command, args: given.args, env: given.env, cwd: SOMEWHERE, shell },
    { rules, workspace: null, autoApprove: 'allowlist', facts: NO_MACHINE },
    given.lane ?? 'interactive',
  )
  return { id: given.id, ...verdict }
}

/** As if a person had written them. What is no pattern is no rule. */
export const rulesOf = (patterns: readonly string[], shell: Shell): Rule[] =>
  patterns.flatMap((text): Rule[] => {
    const pattern = readPattern(text, shell)
    if ('problem' in pattern) return []
    return [{ pattern, source: 'allowlist', why: `the rule "${text}"`, reach: 'anywhere', options: 'any' }]
  })
