import type { Rule } from './rules.ts'

type ByProgram = ReadonlyMap<string, readonly Rule[]>

const known = new WeakMap<readonly Rule[], ByProgram | 'seen_once'>()

/**
 * Those of a list of rules that are for this program, in their order. A rule begins with a whole word, so no other can match a
 * line that no Windows shell reads. A list that is asked for again is sorted once: a verdict takes no longer with ten thousand rules.
 */
export function rulesFor(program: string, rules: readonly Rule[]): readonly Rule[] {
  const before = known.get(rules)
  if (before === undefined) {
    known.set(rules, 'seen_once')
    return rules
  }
  const sorted = before === 'seen_once' ? byProgram(rules) : before
  if (before === 'seen_once') known.set(rules, sorted)
  return sorted.get(program) ?? []
}

function byProgram(rules: readonly Rule[]): ByProgram {
  const sorted = new Map<string, Rule[]>()
  for (const rule of rules) {
    const program = rule.pattern.words[0] ?? ''
    const own = sorted.get(program)
    if (own) own.push(rule)
    else sorted.set(program, [rule])
  }
  return sorted
}
