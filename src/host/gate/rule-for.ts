import { TermError } from '../../contract/tool/errors.ts'
import { suggest, wouldHold } from '../../policy/explain/suggest.ts'
import { rulesInForce } from '../../policy/files/broken-rules.ts'
import { defaultRules } from '../../policy/files/default-rules.ts'
import { decide } from '../../policy/judge/decide.ts'
import { rulesOn } from '../../runs/facts/judge-line.ts'
import type { GateDeps } from './gate.ts'

/** A line that was asked for before. */
export interface RepeatedLine {
  readonly command: string
  readonly args: readonly string[] | null
  readonly cwd: string
}

/** The usual rules that would cover it the next time, and the workspace they would be rules of. Throws why there are none. */
export function ruleFor(
  { command, args, cwd }: RepeatedLine,
  { world, settings, ruleFiles }: Pick<GateDeps, 'world' | 'settings' | 'ruleFiles'>,
): { readonly workspaceId: string; readonly patterns: readonly string[] } {
  const files = ruleFiles.rulesFor({ cwd, lane: 'interactive' })
  const { workspace } = files
  if (workspace === null)
    throw noRule(`${cwd} is in no project of yours yet: ask for it again, and keep the rule with your answer`)
  const machineRules = {
    machine: world,
    rules: rulesInForce(files, defaultRules(), []),
    workspace,
    autoApprove: settings.PM_TERM_AUTO_APPROVE,
  }
  const rules = rulesOn(machineRules, cwd, world.env['PATH'] ?? '')

  const line = { command, args: args ?? undefined, cwd }
  const { verdict, why } = decide(line, rules, 'interactive')
  if (verdict === 'auto') throw noRule('a rule covers it already')
  const found = suggest(line, rules).filter(({ stays }) => stays)
  const parts = [...new Set(found.map(({ part }) => part))]
  // Narrowest first: the last one that is for a part is the usual one.
  const patterns = parts.flatMap(part => found.filter(each => each.part === part).at(-1)?.pattern ?? [])
  if (patterns.length === 0 || !wouldHold(patterns, line, rules)) throw noRule(`no rule can cover it: ${why}`)
  return { workspaceId: workspace.id, patterns }
}

const noRule = (why: string): TermError => new TermError('PM_TERM_INVALID_PAYLOAD', `No rule was made: ${why}.`)
