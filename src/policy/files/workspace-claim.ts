import type { Workspace } from '../rules/rules.ts'

/** The warning for a request whose `workspace_id` is not that of the directory: the place decides (docs/spec.md D24). */
export function claimWarning(claimed: string | null | undefined, found: Workspace | null, cwd: string): string | null {
  if (claimed === null || claimed === undefined || claimed === found?.id) return null
  const truth = found === null ? 'belongs to no workspace' : `belongs to the workspace "${found.id}"`
  return `The workspace_id "${claimed}" was ignored: ${cwd} ${truth}.`
}
