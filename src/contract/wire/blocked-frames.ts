import * as z from 'zod'
import { Id } from '../field.ts'

/** A command that was refused without a question: by a rule of the product or of the person's, never by an answer. */
export const BlockedCommand = z.object({
  request_id: Id,
  requester: z.string(),
  /** The client's own word. */
  client: z.string(),
  /** Its beginning, if it is long. Untrusted text. */
  command: z.string(),
  why: z.string(),
  at: z.string(),
})
export type BlockedCommand = z.infer<typeof BlockedCommand>

/** All since the host started by number, the newest of them by name; at admission if there are any, and when there are more. */
export const BlockedCommands = z.object({
  type: z.literal('blocked_commands'),
  count: z.int(),
  items: z.array(BlockedCommand),
})
