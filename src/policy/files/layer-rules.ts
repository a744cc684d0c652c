import type { WorkspaceFile } from '../../contract/disk/files.ts'
import { readPattern } from '../rules/pattern.ts'
import type { Rule } from '../rules/rules.ts'
import { brokenExample } from './rule-examples.ts'
import { type FileContent, RULE_FILE, type RuleLayer } from './workspace-files.ts'

/** A pattern that is in a file but is not in force, and why. */
export interface IdlePattern {
  readonly pattern: string
  readonly source: string
  readonly why: string
}

interface RulesRead {
  readonly rules: readonly Rule[]
  readonly idle: readonly IdlePattern[]
}

export const NO_RULES: RulesRead = { rules: [], idle: [] }

/**
 * What the patterns of a file are as rules: worked out once for what is in the file and what a person has confirmed of it. Both are
 * other objects as soon as one of them changes, and the lists stay the same as long as nothing does.
 */
export class LayerRules {
  readonly #read = new WeakMap<FileContent, { readonly bound: WorkspaceFile | null; readonly read: RulesRead }>()
  readonly #pairs = new WeakMap<RulesRead, { readonly second: RulesRead; readonly both: RulesRead }>()

  of(content: FileContent, layer: RuleLayer, bound: WorkspaceFile | null): RulesRead {
    const known = this.#read.get(content)
    if (known?.bound === bound) return known.read
    const read = rulesIn(content, RULE_FILE[layer], new Set(bound?.accepted[layer]))
    this.#read.set(content, { bound, read })
    return read
  }

  /** Of one layer or two. */
  joined(layers: readonly RulesRead[]): RulesRead {
    const [first, second] = layers.filter(({ rules, idle }) => rules.length + idle.length > 0)
    if (first === undefined || second === undefined) return first ?? NO_RULES
    const known = this.#pairs.get(first)
    if (known?.second === second) return known.both
    const both = { rules: [...first.rules, ...second.rules], idle: [...first.idle, ...second.idle] }
    this.#pairs.set(first, { second, both })
    return both
  }
}

function rulesIn({ patterns, examples }: FileContent, source: string, accepted: ReadonlySet<string>): RulesRead {
  const rules: Rule[] = []
  const idle: IdlePattern[] = []
  for (const text of patterns) {
    const pattern = readPattern(text)
    if ('problem' in pattern) {
      idle.push({ pattern: text, source, why: `the pattern ${pattern.problem}` })
      continue
    }

    const rule: Rule = { pattern, source, why: `a rule in ${source}`, reach: 'anywhere', options: 'any' }
    const broke = brokenExample(rule, examples?.[text] ?? {})
    const added = accepted.has(text) ? null : 'added from outside; a person has to confirm it'
    const obstacle = broke === null ? added : `it breaks its own example: ${broke}`
    if (obstacle !== null) idle.push({ pattern: text, source, why: obstacle })
    else rules.push(rule)
  }
  return { rules, idle }
}
