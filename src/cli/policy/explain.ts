import pc from 'picocolors'
import { drawnText } from '../../contract/drawn-text.ts'
import { explain } from '../../policy/explain/explain.ts'
import { explainLine } from '../../policy/explain/explain-line.ts'
import type { GateLane } from '../../policy/model/verdict.ts'
import type { Rules } from '../../policy/rules/rules.ts'

/** What would happen to a line in this directory, as a picture, and what a person could do about it. */
export function policyExplain(command: string, cwd: string, rulesIn: (cwd: string, lane: GateLane) => Rules): string {
  const { verdict, headless, frees, suggestions } = explainLine({ command, cwd }, lane => rulesIn(cwd, lane))
  const width = Math.min(process.stdout.columns || 80, 100)
  return [
    explain(command, verdict, { colour: pc.isColorSupported, width }),
    '',
    `  ${headless}`,
    ...(frees === null ? [] : [`  To run unasked: ${drawnText(frees)}.`]),
    ...(suggestions.length > 0 ? ['  A rule that would cover it (policy add "…"), narrowest first:'] : []),
    ...suggestions.map(({ pattern, alsoAllows }) => `    ${pc.bold(pattern)}  ${pc.dim(`also allows: ${alsoAllows}`)}`),
  ].join('\n')
}
