import * as z from 'zod'
import { Id } from '../field.ts'
import { asking } from '../wire/terminal-frames.ts'

/** The person's own numbers of a day. */
export const NumbersShow = z.strictObject({
  type: z.literal('numbers_show'),
  ...asking,
  /** Where the day began on the person's clock, in milliseconds since 1970. */
  since: z.int().min(0),
})

/** One agent is not heard any more: its connections end, its questions are withdrawn, what runs goes on. It is heard again once it is started anew. */
export const AgentCutOff = z.strictObject({ type: z.literal('agent_cut_off'), ...asking, agent_id: Id })

export const DayNumbers = z.object({
  /** Questions about commands that were asked. */
  asked: z.int(),
  approved: z.int(),
  declined: z.int(),
  /** From the question to the answer, in the median; null: none was answered. */
  median_ms: z.int().nullable(),
  /** Approved within a second of the question: too fast to have been read. */
  under_a_second: z.int(),
  /** Commands that ran in terminals because a rule covers them. */
  by_rule: z.int(),
  /** Commands that were refused without a question. */
  refused: z.int(),
  /** The day was longer than is looked through: these are numbers of its last part. */
  is_part: z.boolean(),
})
export type DayNumbers = z.infer<typeof DayNumbers>
export const NumbersShown = z.object({ type: z.literal('numbers_shown'), ...asking, ...DayNumbers.shape })
