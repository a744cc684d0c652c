import type { Clock } from '../../base/clock.ts'
import type { RuleReplay } from '../../contract/window/rules-frames.ts'
import { decide } from '../../policy/judge/decide.ts'
import { isInside } from '../../policy/model/inside.ts'
import type { GateLane, Verdict } from '../../policy/model/verdict.ts'
import { readPattern } from '../../policy/rules/pattern.ts'
import type { Rule, Rules } from '../../policy/rules/rules.ts'
import type { PastQuestion } from '../../runs/journal/past-questions.ts'

/** What a rule is tried on. */
export interface ReplayGround {
  /** Newest first. */
  readonly questions: readonly PastQuestion[]
  /** All that was ever asked is among them, as far as it is kept. */
  readonly isAll: boolean
  readonly rulesAt: (cwd: string) => Rules
  readonly clock: Pick<Clock, 'elapsed'>
  readonly longestMs: number
}

const MOST_SHOWN = 20

/**
 * What one more rule would have let run of what the person was asked about in a project. Judged with the disk of today. The newest answer
 * to a line is the one that counts: a line that was declined and approved later stands in nobody's way.
 */
export function replayRule(
  text: string,
  { directory, lane }: { readonly directory: string; readonly lane: GateLane },
  ground: ReplayGround,
): RuleReplay {
  const { questions, rulesAt, clock, longestMs } = ground
  const began = clock.elapsed()
  const rule = ruleFrom(text)
  const lets = new Map<string, boolean>()
  const newest = new Map<string, PastQuestion['answer']>()
  const declined: RuleReplay['rows'] = []
  const counted = { asked: 0, approves: 0 }
  let isAll = ground.isAll

  for (const question of questions) {
    if (!isInside(directory, question.cwd)) continue
    if (clock.elapsed() - began > longestMs) {
      isAll = false
      break
    }
    const { command, args, cwd, at, answer, reason } = question
    const key = JSON.stringify([command, args, cwd])
    if (answer !== null && !newest.has(key)) newest.set(key, answer)
    const matches = lets.get(key) ?? (rule !== null && letsRun(rule, question, { rules: rulesAt(cwd), lane }))
    lets.set(key, matches)

    counted.asked += 1
    if (!matches) continue
    counted.approves += 1
    if (answer !== 'declined') continue
    const stands = newest.get(key) === 'declined'
    declined.push({ command: [command, ...(args ?? [])].join(' '), cwd, at, reason, stands })
  }

  const rows = [...declined.filter(({ stands }) => stands), ...declined.filter(({ stands }) => !stands)]
  return { ...counted, declined: declined.length, rows: rows.slice(0, MOST_SHOWN), is_part: !isAll }
}

/** Whether the line would run by this rule, or is kept from it by nothing that is about rules. */
function letsRun(
  rule: Rule,
  { command, args, cwd }: PastQuestion,
  { rules, lane }: { readonly rules: Rules; readonly lane: GateLane },
): boolean {
  const line = { command, args: args ?? undefined, cwd }
  const before = decide(line, rules, lane)
  if (isCovered(before)) return false
  return isCovered(decide(line, { ...rules, rules: [...rules.rules, rule] }, lane))
}

const isCovered = ({ verdict, parts, tier }: Verdict): boolean =>
  verdict === 'auto' || (tier === 'none' && parts.length > 0 && parts.every(({ covered }) => covered))

function ruleFrom(text: string): Rule | null {
  const pattern = readPattern(text)
  return 'problem' in pattern
    ? null
    : { pattern, source: 'replay', why: 'the rule that is tried', reach: 'anywhere', options: 'any' }
}
