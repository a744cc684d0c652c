import * as z from 'zod'
import { Id, Text } from '../field.ts'

/**
 * Which of a server's clients asks (docs/spec.md D28): several clients of one HTTP server are several askers. Everything in it is the
 * client's own word: it is shown to the person and written down, and it grants nothing (docs/spec.md D14).
 */
export const Asker = z.object({
  /** The MCP session, as the server names it; null where the protocol knows none: each call is on its own then. */
  session: Id.nullable(),
  name: Text,
  version: Text,
  title: Text.optional(),
})
export type Asker = z.infer<typeof Asker>

/** The client of this MCP session is gone: what it asked is withdrawn, what runs goes on. */
const AskerGone = z.object({ type: z.literal('asker_gone'), session: Id })

/** Its client has called again without a word about these questions: it may no longer expect them. */
const AskerGoneOn = z.object({ type: z.literal('asker_gone_on'), request_ids: z.array(Id).min(1).max(64) })

/** What a server reports about its clients, without an answer. */
export const ASKER_NEWS = [AskerGone, AskerGoneOn] as const

/** In each question. */
export const howAskerStands = {
  /** gone_on: the same client has called again without a word about this one, so it may no longer expect it. A hint, no proof. */
  asker_state: z.enum(['waiting', 'gone_on']).optional(),
  /** Grows when the question is sent again because what it says has changed; none is 0. */
  revision: z.int().optional(),
}
