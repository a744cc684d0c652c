import { resolve } from 'node:path'
import { type Check, gateWithout } from '../../src/policy/decide.ts'
import { readPattern } from '../../src/policy/pattern.ts'
import type { Facts, Rule, Rules } from '../../src/policy/rules.ts'
import type { Verdict } from '../../src/policy/verdict.ts'

/** A line and what the person allowed: what the fuzz mutates, and what the gate is asked. */
export interface Trial {
  readonly allowlist: readonly string[]
  readonly line: string
}

export type Judge = (trial: Trial & { readonly args?: readonly string[] }) => Verdict

const EVERYTHING_RESOLVES: Facts = {
  realPath: (path, from) => resolve(from, path),
  program: name => ({ path: `/usr/bin/${name}` }),
  ours: [],
}

/** The gate with built-in defaults off, so that only the allowlist of the trial speaks; `off`: checks taken out on purpose. */
export function gateUnderTest(off: readonly Check[] = []): Judge {
  const decide = gateWithout(off)
  const known = new Map<readonly string[], Rules>()
  return ({ allowlist, line, args }) => {
    const rules = known.get(allowlist) ?? rulesOf(allowlist)
    known.set(allowlist, rules)
    return decide({ command: line, args, cwd: '/scratch' }, rules, 'interactive')
  }
}

function rulesOf(allowlist: readonly string[]): Rules {
  const rules = allowlist.flatMap((text): Rule[] => {
    const pattern = readPattern(text)
    return 'problem' in pattern ? [] : [{ pattern, source: 'fuzz', why: 'allowed', reach: 'anywhere', options: 'any' }]
  })
  return { rules, workspace: null, autoApprove: 'allowlist', facts: EVERYTHING_RESOLVES }
}
