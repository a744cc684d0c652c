import type { WorkspaceRules } from '../policy/rule-files.ts'
import type { Verdict } from '../policy/verdict.ts'

/** Aliases, history and earlier state change what a line means in a shell that has lived (SPEC D19). */
export const neverUnasked = (verdict: Verdict): Verdict =>
  verdict.verdict === 'auto'
    ? { ...verdict, verdict: 'approval', why: 'it is typed into your own shell, where nothing runs unasked' }
    : verdict

/**
 * Whether a shell of the person's may be opened unasked. It runs nothing of the agent's, but a prompt may: one that asks git
 * about a repository somebody else made. Where project code may run anyway, it may.
 */
export function mayOpenShell(
  { workspace, broken }: Pick<WorkspaceRules, 'workspace' | 'broken'>,
  { autoApprove, wantsPerson }: { readonly autoApprove: 'allowlist' | 'never'; readonly wantsPerson: boolean },
): Verdict {
  const unasked = workspace?.trusted === true && broken.length === 0 && autoApprove === 'allowlist' && !wantsPerson
  const why = unasked ? 'the workspace is trusted' : 'a shell of yours would be opened there'
  return { verdict: unasked ? 'auto' : 'approval', why, parts: [], flags: [], tier: 'none' }
}
