import type { LineExplained } from '../../contract/window/rules-frames.ts'
import type { WindowFrame } from '../../contract/window/window-frames.ts'
import { explainLine } from '../../policy/explain/explain-line.ts'
import { brokenRules, rulesInForce } from '../../policy/files/broken-rules.ts'
import { defaultRules } from '../../policy/files/default-rules.ts'
import type { GateLane } from '../../policy/model/verdict.ts'
import type { Rules } from '../../policy/rules/rules.ts'
import type { Machine } from '../../runs/facts/disk-facts.ts'
import { rulesOn } from '../../runs/facts/judge-line.ts'
import { inheritedEnv } from '../../runs/plan/base-env.ts'
import { realDirectory } from '../../runs/plan/virtual-env.ts'
import { explained } from '../../runs/run/explained.ts'
import { type ProjectDeps, projectAt } from '../questions/project-at.ts'

export interface JudgingDeps extends ProjectDeps {
  readonly world: Machine
  readonly autoApprove: 'allowlist' | 'never'
}

/** The rules in force in a real directory, as "policy explain" has them: those of files and the defaults. */
export function rulesAt(deps: JudgingDeps, cwd: string, lane: GateLane): Rules {
  const { ruleFiles, world, autoApprove } = deps
  const there = ruleFiles.rulesFor({ cwd, lane })
  const { workspace } = there
  const rules = rulesInForce(there, defaultRules())
  return rulesOn({ machine: world, rules, workspace, autoApprove }, cwd, inheritedEnv(world.env).PATH ?? '')
}

/** What would happen to a line in a folder. It is judged and not run. */
export function lineExplained(
  deps: JudgingDeps,
  { request_id, command, directory }: Extract<WindowFrame, { type: 'line_explain' }>,
): LineExplained {
  const about = { type: 'line_explained', request_id, command, directory } as const
  const cwd = realDirectory(directory)
  if (cwd === null) return { ...about, problem: `${directory} is not an existing directory.`, explained: null }

  const { verdict, headless, frees, suggestions } = explainLine({ command, cwd }, lane => rulesAt(deps, cwd, lane))
  return {
    ...about,
    problem: null,
    explained: {
      verdict: explained(verdict),
      reaches: [...verdict.reaches],
      headless,
      frees,
      suggestions: suggestions.map(({ pattern, alsoAllows }) => ({ pattern, also_allows: alsoAllows })),
      project: projectAt(cwd, deps),
      broken: brokenRules(deps.ruleFiles.rulesFor({ cwd, lane: 'interactive' }).broken),
    },
  }
}
