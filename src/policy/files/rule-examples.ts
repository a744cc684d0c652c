import { coverage } from '../judge/match-rules.ts'
import { readLiterally } from '../read/literal-reader.ts'
import { NO_MACHINE } from '../rules/no-machine.ts'
import type { Rule, Rules } from '../rules/rules.ts'

/** Lines a rule must cover and lines it must leave alone. A rule that breaks its own examples is not in force. */
export interface RuleExamples {
  readonly matches?: readonly string[] | undefined
  readonly spares?: readonly string[] | undefined
}

/** The first example that does not hold, in words, or null. */
export function brokenExample(rule: Rule, examples: RuleExamples): string | null {
  const missed = (examples.matches ?? []).find(line => !covers(rule, line))
  if (missed !== undefined) return `it should cover "${missed}" and does not`
  const hit = (examples.spares ?? []).find(line => covers(rule, line))
  return hit === undefined ? null : `it should not cover "${hit}" and does`
}

function covers(rule: Rule, line: string): boolean {
  const reading = readLiterally(line)
  if ('gaveUp' in reading) return false
  const rules: Rules = { ...NO_RULES, rules: [{ ...rule, reach: 'anywhere' }] }
  return reading.commands.every(command => 'rule' in coverage({ command, shell: 'bash', cwd: '/' }, rules))
}

const NO_RULES: Rules = { rules: [], workspace: null, autoApprove: 'allowlist', facts: NO_MACHINE }
