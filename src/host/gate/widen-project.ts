import type { Decision } from '../../approving/decision.ts'
import type { Project } from '../../contract/wire/project.ts'
import { trustObjection } from '../../policy/files/trust-ground.ts'
import { isInside } from '../../policy/judge/decide.ts'
import { realDirectory } from '../../runs/plan/virtual-env.ts'
import { whyNot } from '../questions/ask-rules.ts'
import { type ProjectDeps, projectAt } from '../questions/project-at.ts'
import type { Terminals } from '../terminals/terminals.ts'

/** What an answer changes for its project, beyond the command itself. */
export interface Widening {
  readonly workspace_id: string
  readonly directory: string
  /** The answer makes the directory a workspace. */
  readonly bound: boolean
  readonly trusted: boolean
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** What this answer would change, a problem that stands against it, or null: it changes nothing. */
export function wideningOf(
  decision: Decision,
  { cwd, shown }: { readonly cwd: string; readonly shown: Project },
  deps: ProjectDeps,
): Widening | string | null {
  if (decision.kind !== 'approve') return null
  const { scope, trust } = decision
  if (scope.kind !== 'workspace' && !trust) return null
  const added = scope.kind === 'workspace' ? scope.rules : []
  const now = projectAt(cwd, deps)
  const removed: readonly string[] = []
  if (now.kind === 'bound' && now.id !== null) {
    // Another answer may have made it one meanwhile; elsewhere than shown it is another question.
    const meant = shown.kind === 'bound' ? shown.directory : (trust?.directory ?? shown.directory)
    if (realDirectory(meant) !== now.directory)
      return `Meanwhile ${cwd} belongs to the workspace "${now.id}" at ${now.directory}.`
    const problem = whyNot(() => deps.ruleFiles.changeable(now.id ?? '', 'base', added))
    const trusted = now.trusted || trust !== undefined
    return problem ?? { workspace_id: now.id, directory: now.directory, bound: false, trusted, added, removed }
  }
  if (shown.kind === 'bound') return `The workspace "${shown.id}" is gone.`
  const wanted = trust?.directory ?? shown.directory
  const directory = realDirectory(wanted)
  if (directory === null) return `${wanted} is not an existing directory.`
  if (!isInside(directory, cwd)) return `The command runs in ${cwd}, which is not inside ${directory}.`
  const objection = trustObjection(directory, deps.ground)
  if (objection !== null) return `${directory} cannot be trusted: ${objection}.`
  const id = directory === shown.directory && shown.id !== null ? shown.id : deps.ruleFiles.idFor(directory)
  const free = whyNot(() => deps.ruleFiles.bindable(id, directory)) === null ? id : deps.ruleFiles.idFor(directory)
  return { workspace_id: free, directory, bound: true, trusted: trust !== undefined, added, removed }
}

/** Makes it count, once it is written down. */
export function widen(widening: Widening, deps: ProjectDeps & { readonly terminals: Terminals }): void {
  const { workspace_id: id, directory, trusted } = widening
  const before = deps.ruleFiles.workspaceAt(directory)
  if (widening.bound || before?.trusted !== trusted) deps.ruleFiles.bind(id, directory, trusted)
  for (const rule of widening.added) deps.ruleFiles.add(id, 'base', rule)
  if (widening.bound) deps.terminals.adopt({ id, directory })
}
