import { gateWithout } from '../../src/policy/judge/decide.ts'
import type { GateCheck } from '../../src/policy/model/checks.ts'
import type { Verdict } from '../../src/policy/model/verdict.ts'
import { NO_MACHINE } from '../../src/policy/rules/no-machine.ts'
import { readPattern } from '../../src/policy/rules/pattern.ts'
import type { Rule, Rules } from '../../src/policy/rules/rules.ts'

/** A line and what the person allowed: what the fuzz mutates, and what the gate is asked. */
export interface Trial {
  readonly allowlist: readonly string[]
  readonly line: string
}

const MOST_REMEMBERED = 50_000

export type Judge = (trial: Trial & { readonly args?: readonly string[] }) => Verdict

/** The gate with built-in defaults off, so that only the allowlist of the trial speaks; `off`: checks taken out on purpose. */
export function gateUnderTest(off: readonly GateCheck[] = []): Judge {
  const decide = gateWithout(off)
  const known = new Map<readonly string[], Rules>()
  return ({ allowlist, line, args }) => {
    const rules = known.get(allowlist) ?? rulesOf(allowlist)
    known.set(allowlist, rules)
    return decide({ command: line, args, cwd: '/scratch' }, rules, 'interactive')
  }
}

/** Every broken gate is shown the same first mutants: what the whole one says of them is worked out once. */
export function remembering(judge: Judge): Judge {
  const known = new Map<readonly string[], Map<string, Verdict>>()
  return trial => {
    const ofList = known.get(trial.allowlist) ?? new Map<string, Verdict>()
    known.set(trial.allowlist, ofList)
    const key = trial.args ? JSON.stringify([trial.line, trial.args]) : trial.line
    const verdict = ofList.get(key) ?? judge(trial)
    // A soak goes on for ever.
    if (ofList.size < MOST_REMEMBERED) ofList.set(key, verdict)
    return verdict
  }
}

function rulesOf(allowlist: readonly string[]): Rules {
  const rules = allowlist.flatMap((text): Rule[] => {
    const pattern = readPattern(text)
    if ('problem' in pattern) return []
    const rule: Rule = { pattern, source: 'fuzz', why: 'allowed', reach: 'anywhere', options: 'any' }
    // Variables, loops and braces count for the defaults only: bash shall see those, too.
    return [rule, { ...rule, reach: 'nothing_read' }]
  })
  return { rules, workspace: null, autoApprove: 'allowlist', facts: { ...NO_MACHINE, home: '/scratch' } }
}
