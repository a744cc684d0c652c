import { TermError } from '../../contract/tool/errors.ts'
import type { RuleReplay } from '../../contract/window/rules-frames.ts'
import type { HostToWindow, WindowFrame } from '../../contract/window/window-frames.ts'
import { checkRule } from '../../policy/files/check-rule.ts'
import { DEFAULT_ROWS } from '../../policy/files/default-rules.ts'
import { projectRules } from '../../policy/files/project-rules.ts'
import { whyNot } from '../questions/ask-rules.ts'
import { type ChangeRulesDeps, changeRules, checkChange } from '../questions/change-rules.ts'
import { type JudgingDeps, lineExplained } from './explain-line.ts'
import { answered, type HostPage, type PageWindow, replied } from './page.ts'
import type { PastAnswers } from './past-answers.ts'

export interface RulesPageDeps extends ChangeRulesDeps, JudgingDeps {
  readonly past: Pick<PastAnswers, 'replay'>
  /** Why nothing can be tried in a sandbox here; null: it can. */
  readonly noSandbox: () => string | null
}

/** How long a rule is tried on what was asked: while it is typed, and before it is saved. */
const TRY_MS = 250
const SAVE_MS = 1000

type Shows = Extract<WindowFrame, { type: 'rules_show' | 'default_rules_show' | 'rule_try' | 'line_explain' }>
type Changes = Extract<WindowFrame, { type: 'rules_change' | 'project_set' }>

/** Rules of every project and the defaults: shown as they count, and changed by the person who is admitted here. */
export const rulesPage = (deps: RulesPageDeps): HostPage => ({
  open: window => ({ dispose() {}, receive: frame => receive(deps, window, frame) }),
})

function receive(deps: RulesPageDeps, window: PageWindow, frame: WindowFrame): boolean {
  switch (frame.type) {
    case 'rules_show':
    case 'default_rules_show':
    case 'rule_try':
    case 'line_explain':
      void replied(window, frame.request_id, { reply: () => shown(deps, frame), what: 'It cannot be shown' })
      return true
    case 'rules_change':
    case 'project_set':
      void answered(window, frame.request_id, { act: () => change(deps, window, frame), what: 'Nothing was changed' })
      return true
    default:
      return false
  }
}

function shown(deps: RulesPageDeps, frame: Shows): HostToWindow {
  const { request_id } = frame
  switch (frame.type) {
    case 'rules_show': {
      const projects = projectRules(deps.ruleFiles)
      return { type: 'rules_shown', request_id, projects, auto_approve: deps.autoApprove, no_sandbox: deps.noSandbox() }
    }
    case 'default_rules_show': {
      const rules = DEFAULT_ROWS.map(({ pattern, reach, why }) => ({ pattern, reach, why }))
      return { type: 'default_rules_shown', request_id, rules }
    }
    case 'line_explain':
      return lineExplained(deps, frame)
    case 'rule_try':
      return tried(deps, frame)
  }
}

function tried(deps: RulesPageDeps, frame: Extract<Shows, { type: 'rule_try' }>): HostToWindow {
  const { request_id, workspace_id: workspaceId, layer, pattern } = frame
  const check = checkRule(pattern)
  const problem = whyNot(() => checkChange(deps, { workspaceId, layer, added: [pattern], removed: [] }))
  const replay = problem === null ? deps.past.replay({ workspaceId, layer, pattern }, TRY_MS) : null
  const wide = check.advice === 'confirm' ? check.why : null
  return { type: 'rule_tried', request_id, pattern, problem: problem ?? declinedBy(replay), wide, replay }
}

/** Why a rule that would let run what the person declined last is none; null: it would not. */
function declinedBy(replay: RuleReplay | null): string | null {
  const stands = replay?.rows.find(row => row.stands)
  if (!stands) return null
  const { command, at, reason } = stands
  const words = reason === null ? '' : `: “${reason}”`
  return `You declined “${command}” on ${new Date(at).toISOString().slice(0, 10)}${words}. This rule would let it run without asking. Write a narrower one, or approve that command once when it is asked for again.`
}

function change(deps: RulesPageDeps, { by }: PageWindow, frame: Changes): void {
  if (frame.type === 'rules_change') {
    const { workspace_id: workspaceId, layer, added, removed } = frame
    for (const pattern of added) {
      checkChange(deps, { workspaceId, layer, added: [pattern], removed: [] })
      const problem = declinedBy(deps.past.replay({ workspaceId, layer, pattern }, SAVE_MS / added.length))
      if (problem !== null) throw new TermError('PM_TERM_INVALID_PAYLOAD', problem)
    }
    changeRules(deps, { workspaceId, layer, added, removed }, by)
    return
  }
  const { directory, trusted, tries } = frame
  const workspaceId = deps.ruleFiles.idFor(directory)
  changeRules(deps, { workspaceId, layer: 'base', added: [], removed: [], binds: { directory, trusted, tries } }, by)
}
