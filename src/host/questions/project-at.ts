import type { Project } from '../../contract/wire/project.ts'
import type { RuleFiles } from '../../policy/files/rule-files.ts'
import { projectAround, type TrustGround, trustObjection } from '../../policy/files/trust-ground.ts'
import { whyNot } from './ask-rules.ts'

export interface ProjectDeps {
  readonly ruleFiles: RuleFiles
  readonly ground: TrustGround
}

/** The project a real directory belongs to: a workspace, one that an answer could make of it, or neither (docs/spec.md D24). */
export function projectAt(cwd: string, { ruleFiles, ground }: ProjectDeps): Project {
  const bound = ruleFiles.workspaceAt(cwd)
  if (bound) {
    const why_not = whyNot(() => ruleFiles.changeable(bound.id, 'base', []))
    return { ...bound, kind: 'bound', why_not }
  }
  const root = projectAround(cwd, ground)
  const directory = trustObjection(root, ground) === null ? root : cwd
  const why_not = trustObjection(directory, ground)
  if (why_not !== null) return { directory, id: null, kind: 'none', trusted: false, why_not }
  return { directory, id: ruleFiles.idFor(directory), kind: 'offered', trusted: false, why_not: null }
}
