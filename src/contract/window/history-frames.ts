import * as z from 'zod'
import { RunStatements } from '../disk/receipt.ts'
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

/** One run of the list. */
const ofRun = { ...asking, requester: z.string().min(1).max(64), session_id: Id }

export const HistoryOpen = z.strictObject({ type: z.literal('history_open'), ...ofRun })
export const HistoryOpened = z.object({
  type: z.literal('history_opened'),
  ...asking,
  item: HistoryItem,
  /** What its ledger and the journal say, whole. */
  said: RunStatements,
})
export type HistoryOpened = z.infer<typeof HistoryOpened>

/** Its output as text, a page of it. */
export const HistoryRead = z.strictObject({ type: z.literal('history_read'), ...ofRun, from: z.int().min(0) })
export const HistoryText = z.object({
  type: z.literal('history_text'),
  ...asking,
  from: z.int(),
  pieces: z.array(z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() })),
  /** Where to read on. */
  next: z.int(),
  /** All that it has printed so far, in bytes. */
  size: z.int(),
  /** Bytes of this page that are gone. */
  lost_bytes: z.int(),
  /** It may print more. */
  is_open: z.boolean(),
})
export type HistoryText = z.infer<typeof HistoryText>

/** Lines of its output that have a pattern, from `from` on. */
export const HistoryFind = z.strictObject({
  type: z.literal('history_find'),
  ...ofRun,
  pattern: z.string().min(1).max(1000),
  from: z.int().min(0),
})
export const HistoryFound = z.object({
  type: z.literal('history_found'),
  ...asking,
  matches: z.array(z.object({ offset: z.int(), stream: z.enum(['stdout', 'stderr']), line: z.string() })),
  from: z.int(),
  /** Up to here it was searched; what comes after it was not. */
  next: z.int(),
  size: z.int(),
  /** Bytes of what was searched that are gone. */
  lost_bytes: z.int(),
})
export type HistoryFound = z.infer<typeof HistoryFound>

/** Asks for the same command again, as a client of the person's own: it comes back as a question, whatever rules say. */
export const HistoryRerun = z.strictObject({ type: z.literal('history_rerun'), ...ofRun })

/** The run as a file, in parts: as text, as `interactive-terminal-output-v1` or as an asciicast. */
export const HistoryExport = z.strictObject({
  type: z.literal('history_export'),
  ...ofRun,
  format: z.enum(['text', 'json', 'asciicast']),
  cast_version: z.literal([2, 3]),
  /** `next` of the answer before, good once; null: from the beginning. */
  after: Id.nullable(),
})
export const HistoryExported = z.object({
  type: z.literal('history_exported'),
  ...asking,
  /** How the file is called. */
  name: z.string(),
  text: z.string(),
  /** How to ask for what follows; null: that was the end. */
  next: Id.nullable(),
})

export const FROM_HISTORY = [HistoryShow, HistoryOpen, HistoryRead, HistoryFind, HistoryRerun, HistoryExport] as const
export const TO_HISTORY = [HistoryShown, HistoryOpened, HistoryText, HistoryFound, HistoryExported] as const
