import * as z from 'zod'
import { WorkspaceId } from './field.ts'

/** The rule files of a workspace, as they lie on disk (SPEC §2.5). People edit the first two; the third is ours. */

const Patterns = z.array(z.string().min(1).max(1024)).max(1024)

/** Lines a pattern must cover and lines it must leave alone, checked whenever the file is read. */
const Examples = z.record(
  z.string(),
  z.object({ matches: z.array(z.string()).max(20).optional(), spares: z.array(z.string()).max(20).optional() }),
)

/** `<data>/<workspace_id>/terminal-allowlist.json`: rules of both lanes. */
export const AllowlistFile = z.object({ patterns: Patterns, examples: Examples.optional(), updated_at: z.string() })

/** `<data>/<workspace_id>/interactive-terminal/headless-allowlist-policy.v1.json`: adds to the base, headless only. */
export const HeadlessPolicyFile = z.object({
  workspace_id: WorkspaceId,
  patterns: Patterns,
  examples: Examples.optional(),
})

/** `<data>/<workspace_id>/workspace.v1.json`: what a person decided about the workspace and its rules. */
export const WorkspaceFile = z.object({
  workspace_id: WorkspaceId,
  directory: z.string().min(1),
  trusted: z.boolean(),
  /** Patterns a person has confirmed. One that stands in a rule file but not here is not in force. */
  accepted: z.object({ base: Patterns, headless: Patterns }),
  updated_at: z.string(),
})
export type WorkspaceFile = z.infer<typeof WorkspaceFile>
