import pc from 'picocolors'
import { drawnText } from '../../contract/drawn-text.ts'
import { explain } from '../../policy/explain/explain.ts'
import { suggest } from '../../policy/explain/suggest.ts'
import { whatFrees } from '../../policy/explain/what-frees.ts'
import { decide } from '../../policy/judge/decide.ts'
import type { GateLane } from '../../policy/model/verdict.ts'
import type { Rules } from '../../policy/rules/rules.ts'

const MOST_SUGGESTIONS = 4

/** What would happen to a line in this directory, as a picture, and what a person could do about it. */
export function policyExplain(command: string, cwd: string, rulesIn: (cwd: string, lane: GateLane) => Rules): string {
  const line = { command, cwd }
  const rules = rulesIn(cwd, 'interactive')
  const width = Math.min(process.stdout.columns || 80, 100)
  const picture = explain(command, decide(line, rules, 'interactive'), { colour: pc.isColorSupported, width })
  const headless = decide(line, rulesIn(cwd, 'headless'), 'headless')
  const without = { auto: 'it runs', approval: '', blocked: 'it is refused', destructive: 'it is refused' }[
    headless.verdict
  ]
  const frees = whatFrees(line, rules)
  const found = suggest(line, rules).slice(0, MOST_SUGGESTIONS)
  return [
    picture,
    '',
    `  Without a window (memory_terminal) ${without}${headless.verdict === 'blocked' ? `: ${headless.why}` : ''}.`,
    ...(frees === null ? [] : [`  To run unasked: ${drawnText(frees)}.`]),
    ...(found.length > 0 ? ['  A rule that would cover it (policy add "…"), narrowest first:'] : []),
    ...found.map(({ pattern, alsoAllows }) => `    ${pc.bold(pattern)}  ${pc.dim(`also allows: ${alsoAllows}`)}`),
  ].join('\n')
}
