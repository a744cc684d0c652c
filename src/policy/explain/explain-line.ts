import { decide } from '../judge/decide.ts'
import type { Line } from '../judge/line.ts'
import type { GateLane, Verdict } from '../model/verdict.ts'
import type { Rules } from '../rules/rules.ts'
import { type Suggestion, suggest } from './suggest.ts'
import { whatFrees } from './what-frees.ts'

const MOST_SUGGESTIONS = 4

/** What would happen to a line, and what a person could do about it. Command line and window say the same. Nothing is run. */
export interface ExplainedLine {
  readonly verdict: Verdict
  /** What happens where nobody can be asked, as a sentence. */
  readonly headless: string
  /** What would make it run unasked; null: it does. */
  readonly frees: string | null
  /** The narrowest first. */
  readonly suggestions: readonly Suggestion[]
}

export function explainLine(line: Line, rulesIn: (lane: GateLane) => Rules): ExplainedLine {
  const rules = rulesIn('interactive')
  return {
    verdict: decide(line, rules, 'interactive'),
    headless: headlessWords(decide(line, rulesIn('headless'), 'headless')),
    frees: whatFrees(line, rules),
    suggestions: suggest(line, rules).slice(0, MOST_SUGGESTIONS),
  }
}

function headlessWords({ verdict, why }: Verdict): string {
  const refused = 'it is refused'
  const happens = { auto: 'it runs', try: 'it is tried', approval: '', blocked: refused, destructive: refused }[verdict]
  return `Without a window (memory_terminal) ${happens}${verdict === 'blocked' ? `: ${why}` : ''}.`
}
