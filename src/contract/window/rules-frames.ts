import * as z from 'zod'
import { Path, Text, WorkspaceId } from '../field.ts'
import { asking } from '../wire/terminal-frames.ts'

/**
 * The page of rules: what may run without asking, where each rule comes from, and whether it counts. What a person changes there is
 * their decision as much as an answer to a card: written down first, then in force in both lanes (docs/spec.md D26).
 */

/** base: for both lanes · headless: beyond those, where no window is. */
const layer = z.enum(['base', 'headless'])

// ── from the window ──────────────────────────────────────────────────────────────────────────────

export const RulesShow = z.strictObject({ type: z.literal('rules_show'), ...asking })
export const DefaultRulesShow = z.strictObject({ type: z.literal('default_rules_show'), ...asking })

export const RulesChange = z.strictObject({
  type: z.literal('rules_change'),
  ...asking,
  workspace_id: WorkspaceId,
  layer,
  added: z.array(Text).max(32),
  removed: z.array(Text).max(32),
})
/** A folder becomes a project, trusted or not; one that is a project already is trusted from now on, or no longer. */
export const ProjectSet = z.strictObject({
  type: z.literal('project_set'),
  ...asking,
  directory: Path,
  trusted: z.boolean(),
})
/** What a rule would mean, before it is one. */
export const RuleTry = z.strictObject({
  type: z.literal('rule_try'),
  ...asking,
  workspace_id: WorkspaceId,
  layer,
  pattern: Text,
})

// ── to the window ────────────────────────────────────────────────────────────────────────────────

const RuleFile = z.object({
  layer,
  file: z.string(),
  /** Why it cannot be read; null: it can, or is not there. */
  problem: z.string().nullable(),
  patterns: z.array(
    z.object({
      pattern: z.string(),
      /** Why it does not count; null: it does. */
      idle: z.string().nullable(),
    }),
  ),
})
export type RuleFile = z.infer<typeof RuleFile>

export const RuledProject = z.object({
  workspace_id: z.string(),
  /** null: none is known. */
  directory: z.string().nullable(),
  trusted: z.boolean(),
  /** Why nothing can be changed or counts here; null: a person has decided that it is a project. */
  problem: z.string().nullable(),
  /** A file says that it is trusted, and no person has. */
  claims_trust: z.boolean(),
  files: z.array(RuleFile),
})
export type RuledProject = z.infer<typeof RuledProject>

export const RulesShown = z.object({
  type: z.literal('rules_shown'),
  ...asking,
  projects: z.array(RuledProject),
  /** never: whatever the rules say, every command needs approval (PM_TERM_AUTO_APPROVE). */
  auto_approve: z.enum(['allowlist', 'never']),
})
export type RulesShown = z.infer<typeof RulesShown>

export const DefaultRulesShown = z.object({
  type: z.literal('default_rules_shown'),
  ...asking,
  rules: z.array(
    z.object({
      pattern: z.string(),
      reach: z.enum(['nothing_read', 'workspace', 'repository', 'trusted']),
      why: z.string(),
    }),
  ),
})
export type DefaultRulesShown = z.infer<typeof DefaultRulesShown>

export const RuleTried = z.object({
  type: z.literal('rule_tried'),
  ...asking,
  pattern: z.string(),
  /** Why it cannot be a rule; null: it can. */
  problem: z.string().nullable(),
  /** It is wider than it looks, and why: the person confirms that as well. */
  wide: z.string().nullable(),
})
export type RuleTried = z.infer<typeof RuleTried>

export const FROM_RULES_PAGE = [RulesShow, DefaultRulesShow, RulesChange, ProjectSet, RuleTry] as const
export const TO_RULES_PAGE = [RulesShown, DefaultRulesShown, RuleTried] as const
