import type { HostToWindow, WindowFrame } from '../../contract/window/window-frames.ts'
import { checkRule } from '../../policy/files/check-rule.ts'
import { DEFAULT_ROWS } from '../../policy/files/default-rules.ts'
import { projectRules } from '../../policy/files/project-rules.ts'
import { whyNot } from '../questions/ask-rules.ts'
import { type ChangeDeps, changeRules, checkChange } from '../questions/change-rules.ts'
import { answered, type HostPage, type PageWindow, replied } from './page.ts'

export interface RulesPageDeps extends ChangeDeps {
  readonly autoApprove: 'allowlist' | 'never'
}

type Shows = Extract<WindowFrame, { type: 'rules_show' | 'default_rules_show' | 'rule_try' }>
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
      return { type: 'rules_shown', request_id, projects, auto_approve: deps.autoApprove }
    }
    case 'default_rules_show': {
      const rules = DEFAULT_ROWS.map(({ pattern, reach, why }) => ({ pattern, reach, why }))
      return { type: 'default_rules_shown', request_id, rules }
    }
    case 'rule_try': {
      const { workspace_id: workspaceId, layer, pattern } = frame
      const check = checkRule(pattern)
      const problem = whyNot(() => checkChange(deps, { workspaceId, layer, added: [pattern], removed: [] }))
      return { type: 'rule_tried', request_id, pattern, problem, wide: check.advice === 'confirm' ? check.why : null }
    }
  }
}

function change(deps: RulesPageDeps, { by }: PageWindow, frame: Changes): void {
  if (frame.type === 'rules_change') {
    const { workspace_id: workspaceId, layer, added, removed } = frame
    changeRules(deps, { workspaceId, layer, added, removed }, by)
    return
  }
  const { directory, trusted } = frame
  const workspaceId = deps.ruleFiles.idFor(directory)
  changeRules(deps, { workspaceId, layer: 'base', added: [], removed: [], binds: { directory, trusted } }, by)
}
