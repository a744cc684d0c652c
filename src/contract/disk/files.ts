import * as z from 'zod'
import { WorkspaceId } from '../field.ts'

/** The rule files of a workspace, as they lie on disk (docs/spec.md §2.5). People edit the first two; the third is ours. */

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
  /** Patterns a person has confirmed. One that is in a rule file but not here is not in force. */
  accepted: z.object({ base: Patterns, headless: Patterns }),
  updated_at: z.string(),
})
export type WorkspaceFile = z.infer<typeof WorkspaceFile>

/** What a person has decided, wherever else it is written (docs/spec.md D26). */
export const Decided = z.object({
  /** Which directory an id stands for, whether its own code may run, and which patterns count in it. */
  workspaces: z.record(
    WorkspaceId,
    z.object({
      directory: z.string().min(1),
      trusted: z.boolean(),
      accepted: z.object({ base: Patterns, headless: Patterns }),
      /** What no rule covers is tried in a sandbox before anybody is asked (docs/spec.md D29). Absent: it is not. */
      tries: z.literal('read_only').optional(),
    }),
  ),
  /** Name of a paired client, and the SHA-256 of its key. */
  pairings: z.record(z.string(), z.string()),
  /** Settings of settings.json that name a program, and the value that was agreed to. */
  programs: z.record(z.string(), z.string()),
})
export type Decided = z.infer<typeof Decided>

const HexText = z.string().max(256)

/**
 * Decisions under the seal of the passphrase: its key signed the key that a host made for its life, and that one the decisions.
 * What each field has to be is for `runs/journal/decisions-seal` to say: a wrong one is reported, not overlooked.
 */
export const Sealed = z.object({
  decided: Decided,
  /** The public half of the passphrase. */
  approver: HexText,
  session: z.object({ public_key: HexText, signature: HexText }),
  signature: HexText,
})
export type Sealed = z.infer<typeof Sealed>

/** `<data>/decisions.v1.json`: the host's copy of what a person decided, for servers. By itself it grants nothing (ADR 44). */
export const DecisionsFile = z.object({
  v: z.literal(1),
  now: Decided,
  /** What counted at the last orderly end. */
  ended: Decided.nullable(),
  /** What was sealed last, at this or an earlier time (ADR 46). */
  sealed: Sealed.optional(),
})
export type DecisionsFile = z.infer<typeof DecisionsFile>
