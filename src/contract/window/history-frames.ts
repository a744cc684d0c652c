import * as z from 'zod'
import { RunOutcome } from '../disk/run-record.ts'
import { Id } from '../field.ts'
import { asking } from '../wire/terminal-frames.ts'

/** The page History: every run of both lanes, and of every client, newest first. Never all of them in one frame. */

export const HISTORY_OUTCOMES = [
  ...(['open', 'succeeded', 'failed', 'ended', 'lost'] as const),
  ...(['declined', 'expired', 'withdrawn', 'blocked', 'not_started'] as const),
] as const
export type HistoryOutcome = (typeof HISTORY_OUTCOMES)[number]

const Part = z.string().max(200)

/** Which runs are wanted; all that is said has to be true of one. */
export const HistoryFilter = z.strictObject({
  lane: z.enum(['headless', 'interactive']).nullable(),
  /** open: it waits or runs · ended: by somebody, or by its time limit */
  outcome: z.enum(HISTORY_OUTCOMES).nullable(),
  /** A part of what the client calls itself, or of the name that its key proved; in any letter case, as the next two. Empty: any. */
  agent: Part,
  /** A part of the project's name or of the directory. */
  project: Part,
  /** A part of the command, of what was asked for or of what ran instead. */
  command: Part,
})
export type HistoryFilter = z.infer<typeof HistoryFilter>

export const HistoryShow = z.strictObject({
  type: z.literal('history_show'),
  ...asking,
  filter: HistoryFilter,
  /** `next` of the answer before, good once; null: from the newest on. */
  after: Id.nullable(),
})

export const HistoryItem = z.object({
  session_id: Id,
  /** local: a program of the person · person: the person · the name of a paired client */
  requester: z.string(),
  /** How the client calls itself: its own word. Empty: it does not. */
  client: z.string(),
  lane: z.enum(['headless', 'interactive']),
  /** A shell of the person, and no command. */
  is_shell: z.boolean(),
  /** As one line; a long one is cut. */
  command: z.string(),
  is_cut: z.boolean(),
  cwd: z.string(),
  workspace_id: z.string().nullable(),
  /** Cut as the command is. */
  outcome: RunOutcome,
  /** What the gate said; null: it said nothing, or it was not written down. */
  verdict: z.string().nullable(),
  approved_by: z.enum(['person', 'allowlist']).nullable(),
  /** What a person said, where and when. */
  answered: z.object({ kind: z.string(), on: z.string().nullable(), at: z.int() }).nullable(),
  received_at: z.int(),
  took_ms: z.number().nullable(),
  output_bytes: z.int(),
})
export type HistoryItem = z.infer<typeof HistoryItem>

export const HistoryShown = z.object({
  type: z.literal('history_shown'),
  ...asking,
  items: z.array(HistoryItem),
  /** How to ask for those before them; null: there are none. With few or no items: there was not enough time to look through all. */
  next: Id.nullable(),
  /** How many runs were looked at for this answer. */
  looked: z.int(),
})
export type HistoryShown = z.infer<typeof HistoryShown>

export const FROM_HISTORY = [HistoryShow] as const
export const TO_HISTORY = [HistoryShown] as const
