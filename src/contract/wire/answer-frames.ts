import * as z from 'zod'
import { Id } from '../field.ts'

/** What the host says about a question on its way to an answer, and afterwards. */

/** The host knows that this revision was on your screen: `arming_ms` from now an approval counts. */
export const ShownHeard = z.object({ type: z.literal('shown_heard'), ask_id: Id, revision: z.int() })

/** Somebody's answer counted: the first one does. */
export const Answered = z.object({
  type: z.literal('answered'),
  ask_id: Id,
  outcome: z.enum(['approved', 'declined']),
  by: z.string(),
  yours: z.boolean(),
})
/** What was approved with this question did not start and will not: something was in the way, or it was taken back. */
const REMINDER_STAGES = ['half', 'late'] as const
export type ReminderStage = (typeof REMINDER_STAGES)[number]
/** It still waits. half: half of its time is over · late: three quarters. Who looks elsewhere is notified again, late with a sound. */
export const Reminder = z.object({ type: z.literal('reminder'), ask_id: Id, stage: z.enum(REMINDER_STAGES) })
export const NotStarted = z.object({ type: z.literal('not_started'), ask_id: Id })
/** Your answer did not count, and why; the question is still open if `open`. */
export const AnswerRefused = z.object({
  type: z.literal('answer_refused'),
  ask_id: Id,
  problem: z.string(),
  open: z.boolean(),
})
export const Withdrawn = z.object({
  type: z.literal('withdrawn'),
  ask_id: Id,
  why: z.enum(['cancelled', 'asker_gone', 'expired', 'host_ends', 'person']),
})
