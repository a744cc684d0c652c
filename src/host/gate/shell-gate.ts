import { NOT_FOR_A_SHELL } from '../../contract/tool/coupling.ts'
import type { Issue } from '../../contract/tool/issues.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import { brokenRules } from '../../policy/files/broken-rules.ts'
import type { WorkspaceRules } from '../../policy/files/rule-files.ts'
import type { Verdict } from '../../policy/model/verdict.ts'

/** Aliases, history and earlier state change what a line means in a shell that has lived (docs/spec.md D19). */
export const alwaysNeedsApproval = (verdict: Verdict): Verdict =>
  verdict.verdict === 'auto'
    ? {
        ...verdict,
        verdict: 'approval',
        why: 'it is typed into a shell that is already open, where every line needs approval',
      }
    : verdict

/**
 * Whether a shell of the person's may be opened without approval. It runs nothing of the agent's, but a prompt may: one that asks git
 * about a repository somebody else made. Where project code may run anyway, it may.
 */
export function mayOpenShell(
  { workspace, broken }: Pick<WorkspaceRules, 'workspace' | 'broken'>,
  { autoApprove, wantsPerson }: { readonly autoApprove: 'allowlist' | 'never'; readonly wantsPerson: boolean },
): Verdict {
  const isFree = workspace?.trusted === true && broken.length === 0 && autoApprove === 'allowlist' && !wantsPerson
  const opens = ['it opens an interactive shell there', brokenRules(broken) ?? []].flat().join('; ')
  const why = isFree ? 'the workspace is trusted' : opens
  return { verdict: isFree ? 'auto' : 'approval', why, parts: [], flags: [], tier: 'none', reaches: [] }
}

/** What a request says that a shell of the person's does not take: its files may set the same, and then it would not be what was shown. */
export function notForShell({ env = {}, venv_path, activate_venv }: CommandRequest): Issue[] {
  return [
    ...(Object.keys(env).length === 0 ? [] : [{ field: 'execution.env', problem: NOT_FOR_A_SHELL }]),
    ...(venv_path === undefined ? [] : [{ field: 'runtime.venv_path', problem: NOT_FOR_A_SHELL }]),
    ...(activate_venv === true ? [{ field: 'runtime.activate_venv', problem: NOT_FOR_A_SHELL }] : []),
  ]
}
