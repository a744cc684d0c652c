import * as z from 'zod'
import { Id } from '../field.ts'
import { asking } from '../wire/terminal-frames.ts'

/** The person wants to be asked again about what they declined for the rest of the day. */
export const DeclineRevoke = z.strictObject({ type: z.literal('decline_revoke'), ...asking, decline_id: Id })

/** A command that the person declined and does not want to be asked about again today. */
export const KeptDecline = z.object({
  decline_id: Id,
  command: z.string(),
  /** project: whoever asks, in that folder · agent: this agent, anywhere. */
  covers: z.enum(['project', 'agent']),
  directory: z.string(),
  requester: z.string(),
  client: z.string(),
  /** The person's own words. */
  reason: z.string().nullable(),
  since: z.number(),
  until: z.number(),
  /** How often it was refused since, without a question. */
  refused: z.int(),
})
export type KeptDecline = z.infer<typeof KeptDecline>
export const KeptDeclinesFrame = z.object({ type: z.literal('kept_declines'), items: z.array(KeptDecline) })
