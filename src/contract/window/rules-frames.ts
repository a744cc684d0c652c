import * as z from 'zod'
import { Command, Path, Text, WorkspaceId } from '../field.ts'
import { Verdict } from '../tool/response.ts'
import { Project } from '../wire/project.ts'
import { Reach } from '../wire/reach.ts'
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
  /** What no rule covers is tried in the sandbox first. Absent: as it was. */
  tries: z.boolean().optional(),
})
/** What a rule would mean, before it is one. */
export const RuleTry = z.strictObject({
  type: z.literal('rule_try'),
  ...asking,
  workspace_id: WorkspaceId,
  layer,
  pattern: Text,
})

/** What would happen to a line in a folder. Nothing is run. */
export const LineExplain = z.strictObject({
  type: z.literal('line_explain'),
  ...asking,
  command: Command,
  directory: Path,
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
  /** What no rule covers is tried in the sandbox first. */
  tries: z.boolean(),
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
  /** Why nothing can be tried in a sandbox on this machine; null: it can. */
  no_sandbox: z.string().nullable(),
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

/** What a rule would have let run, of the commands that the person was asked about in that project. */
const RuleReplay = z.object({
  asked: z.int(),
  /** Of those it would have let run. */
  approves: z.int(),
  /** Of these the person had declined. */
  declined: z.int(),
  /** Those, the newest first; not all of many. */
  rows: z.array(
    z.object({
      command: z.string(),
      cwd: z.string(),
      at: z.number(),
      /** The person's own words. */
      reason: z.string().nullable(),
      /** It is the newest answer to that line: the rule is refused. */
      stands: z.boolean(),
    }),
  ),
  /** More was asked than was looked through. */
  is_part: z.boolean(),
})
export type RuleReplay = z.infer<typeof RuleReplay>

export const RuleTried = z.object({
  type: z.literal('rule_tried'),
  ...asking,
  pattern: z.string(),
  /** Why it cannot be a rule; null: it can. */
  problem: z.string().nullable(),
  /** It is wider than it looks, and why: the person confirms that as well. */
  wide: z.string().nullable(),
  /** null: it can be no rule. */
  replay: RuleReplay.nullable(),
})
export type RuleTried = z.infer<typeof RuleTried>

export const LineExplained = z.object({
  type: z.literal('line_explained'),
  ...asking,
  command: z.string(),
  directory: z.string(),
  /** Why it cannot be judged there; then the rest is not there. */
  problem: z.string().nullable(),
  explained: z
    .object({
      verdict: Verdict,
      reaches: z.array(Reach),
      /** What happens where nobody can be asked, as a sentence. */
      headless: z.string(),
      /** What would make it run unasked; null: it does. */
      frees: z.string().nullable(),
      /** A rule that would cover a part of it, and what else it lets through; the narrowest first. */
      suggestions: z.array(z.object({ pattern: z.string(), also_allows: z.string() })),
      /** Where a rule for it would be kept. */
      project: Project,
      /** Why no rule counts there; null: those that are there do. */
      broken: z.string().nullable(),
    })
    .nullable(),
})
export type LineExplained = z.infer<typeof LineExplained>

export const FROM_RULES_PAGE = [RulesShow, DefaultRulesShow, RulesChange, ProjectSet, RuleTry, LineExplain] as const
export const TO_RULES_PAGE = [RulesShown, DefaultRulesShown, RuleTried, LineExplained] as const
