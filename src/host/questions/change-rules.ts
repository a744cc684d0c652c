import { TermError } from '../../contract/tool/errors.ts'
import type { RuleFiles } from '../../policy/files/rule-files.ts'
import { type TrustGround, trustObjection } from '../../policy/files/trust-ground.ts'
import type { RuleLayer } from '../../policy/files/workspace-files.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { Terminals } from '../terminals/terminals.ts'

export interface ChangeRulesDeps {
  readonly ruleFiles: RuleFiles
  readonly journal: Journal
  readonly ground: TrustGround
  readonly terminals: Pick<Terminals, 'adopt'>
}

/** Rules that come and go in one workspace. */
export interface RuleChange {
  readonly workspaceId: string
  readonly layer: RuleLayer
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** The directory becomes the workspace, trusted or not. */
  readonly binds?: Binding
}

export interface Binding {
  readonly directory: string
  readonly trusted: boolean
  /** Whether what no rule covers is tried in the sandbox there. Absent: as it was. */
  readonly tries?: boolean | undefined
}

/** The directory it is for. Throws why it cannot be made. */
export function checkChange(deps: ChangeRulesDeps, { workspaceId, layer, added, binds }: RuleChange): string {
  const { ruleFiles } = deps
  if (!binds) return ruleFiles.changeable(workspaceId, layer, added)
  ruleFiles.checkRules(workspaceId, layer, added)
  return mayBind(deps, workspaceId, binds)
}

/** As the journal has it. */
export const rowOf = ({ workspaceId, layer, added, removed, binds }: RuleChange) => ({
  workspace_id: workspaceId,
  layer,
  added: [...added],
  removed: [...removed],
  ...binds,
})

/** Makes it count. It is written down before. */
export function makeChange({ ruleFiles, terminals }: ChangeRulesDeps, change: RuleChange): void {
  const { workspaceId, layer, added, removed, binds } = change
  if (binds) terminals.adopt(ruleFiles.bind(workspaceId, binds.directory, binds.trusted, binds.tries))
  const there = ruleFiles.patternsOf(workspaceId, layer)
  for (const each of removed) if (there.includes(each)) ruleFiles.remove(workspaceId, layer, each)
  for (const each of added) ruleFiles.add(workspaceId, layer, each)
}

/** What a person does by themselves, without a card: checked, written down, and in force from then on. `by`: where they did it. */
export function changeRules(deps: ChangeRulesDeps, change: RuleChange, by: string): void {
  checkChange(deps, change)
  const body = { ...rowOf(change), by }
  const row = { kind: 'rules_changed', requester: null, runId: null } as const
  deps.journal.append({ ...row, body })
  try {
    makeChange(deps, change)
  } catch (cause) {
    deps.journal.append({ ...row, body: { ...body, counted: false } })
    throw cause
  }
}

/** The real directory; throws what speaks against making it a workspace. Taking trust away is never refused for where it lies. */
export function mayBind(
  { ruleFiles, ground }: ChangeRulesDeps,
  id: string,
  { directory, trusted, tries }: Binding,
): string {
  const real = ruleFiles.bindable(id, directory)
  const isNarrower = !trusted && tries !== true && ruleFiles.directoryOf(id) === real
  const objection = isNarrower ? null : trustObjection(real, ground)
  if (objection === null) return real
  throw new TermError('PM_TERM_INVALID_PAYLOAD', `${real} cannot be a workspace: ${objection}.`, {
    details: { field: 'directory' },
  })
}
