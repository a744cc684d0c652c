import { systemClock } from '../../base/clock.ts'
import { drawnText } from '../../contract/drawn-text.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { decide } from '../../policy/judge/decide.ts'
import type { GateLane } from '../../policy/model/verdict.ts'
import { readPattern } from '../../policy/rules/pattern.ts'
import type { Rule, Rules } from '../../policy/rules/rules.ts'
import { RunStore } from '../../runs/store/run-store.ts'

const MOST_REQUESTS = 1000
const MOST_SHOWN = 40

/** What would happen to past requests today; with a pattern, which of them one rule more would have let through. */
export function policyReplay(options: {
  readonly stateDir: string
  readonly pattern: string | null
  readonly rulesIn: (cwd: string, lane: GateLane) => Rules
}): string {
  const more = options.pattern === null ? [] : [ruleFrom(options.pattern)]
  const store = new RunStore({ stateDir: options.stateDir, serverId: 'replay', now: systemClock.now })
  const { runs } = store.recent(MOST_REQUESTS)
  const counted = { auto: 0, try: 0, approval: 0, blocked: 0, destructive: 0 }
  const changed = new Map<string, number>()
  for (const { opened } of runs) {
    const line = { command: opened.command, args: opened.args ?? undefined, cwd: opened.cwd }
    const rules = options.rulesIn(opened.cwd, opened.lane)
    const before = decide(line, rules, opened.lane).verdict
    const after = decide(line, { ...rules, rules: [...rules.rules, ...more] }, opened.lane).verdict
    counted[after] += 1
    const shown = drawnText([opened.command, ...(opened.args ?? [])].join(' ')).slice(0, 100)
    if (after !== before) changed.set(shown, (changed.get(shown) ?? 0) + 1)
  }
  const { auto, approval, blocked, destructive } = counted
  const summary = `${runs.length} past requests: ${auto} would run unasked, ${approval} would need approval, ${blocked + destructive} would be blocked.`
  if (options.pattern === null) return summary
  const rows = [...changed]
    .sort((a, b) => b[1] - a[1])
    .map(([line, times]) => `  ${String(times).padStart(4)} × ${line}`)
  const cut = rows.length > MOST_SHOWN ? [`  … and ${rows.length - MOST_SHOWN} more lines`] : []
  const head =
    rows.length === 0 ? 'The rule would have changed nothing.' : 'With the rule these would have run without asking:'
  return [summary, head, ...rows.slice(0, MOST_SHOWN), ...cut].join('\n')
}

function ruleFrom(text: string): Rule {
  const pattern = readPattern(text)
  if ('problem' in pattern) throw new TermError('PM_TERM_INVALID_PAYLOAD', `The pattern ${pattern.problem}.`)
  return { pattern, source: 'replay', why: 'the rule that is tried', reach: 'anywhere', options: 'any' }
}
