import * as z from 'zod'
import { Id } from '../field.ts'
import { asking } from '../wire/terminal-frames.ts'

/** What happened without the person since then: asked for with `activity_show`, never more than a day of it. */
export const ActivityShow = z.strictObject({
  type: z.literal('activity_show'),
  ...asking,
  /** Where the day began on the person's clock, in milliseconds since 1970. */
  since: z.int().min(0),
})
/** The person has the page before them: what happened so far is no longer new. */
export const ActivitySeen = z.strictObject({ type: z.literal('activity_seen'), ...asking })

const ofRun = { requester: z.string().min(1).max(64), run_id: Id }
/** Sends the same request once more through the real path: it comes back as a question, and needs approval as any other. */
export const ActivityAsk = z.strictObject({ type: z.literal('activity_ask'), ...asking, ...ofRun })
/** Puts the rule that would cover it next time as a question: it counts once that is approved. */
export const ActivityRule = z.strictObject({ type: z.literal('activity_rule'), ...asking, ...ofRun })

export const FROM_ACTIVITY = [ActivityShow, ActivitySeen, ActivityAsk, ActivityRule] as const

export const ACTIVITY_KINDS = ['blocked', 'expired', 'withdrawn', 'by_rule', 'headless'] as const

/** Runs of one kind that are the same line, by the same asker, in the same directory. */
export const ActivityItem = z.object({
  /** The newest of them. */
  ...ofRun,
  /**
   * blocked: refused without a question · expired: nobody answered · withdrawn: the question was taken back · by_rule: ran in a
   * terminal because a rule covers it · headless: the same, without a terminal.
   */
  kind: z.enum(ACTIVITY_KINDS),
  lane: z.enum(['headless', 'interactive']),
  /** The client's own word. */
  client: z.string(),
  /** Its beginning, if it is long. Untrusted text. */
  command: z.string(),
  cwd: z.string(),
  /** Why it was refused or taken back; the rule that covers it. */
  why: z.string().nullable(),
  exit_code: z.int().nullable(),
  times: z.int(),
  /** When the newest of them was over. */
  at: z.string(),
  /** The one that asked is still there, and the request can be sent as it was. */
  can_ask: z.boolean(),
  can_rule: z.boolean(),
})
export type ActivityItem = z.infer<typeof ActivityItem>

export const ActivityShown = z.object({
  type: z.literal('activity_shown'),
  ...asking,
  /** Newest first. */
  items: z.array(ActivityItem),
  /** There was more than is looked through. */
  is_part: z.boolean(),
})
/** How many happened since the person last looked; at admission, and when it changes. */
export const ActivityNews = z.object({ type: z.literal('activity_news'), count: z.int() })

export const TO_ACTIVITY = [ActivityShown, ActivityNews] as const
