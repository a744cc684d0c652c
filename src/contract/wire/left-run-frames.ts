import * as z from 'zod'
import { Id } from '../field.ts'

/** A command that runs on although whoever asked for it has stopped waiting for it, or is gone. */
export const LeftRun = z.object({
  run_id: Id,
  requester: z.string(),
  /** The client's own word. */
  client: z.string(),
  command: z.string(),
  terminal_id: Id.nullable(),
  /** cancelled: the call was taken back · asker_gone: its session has ended. */
  why: z.enum(['cancelled', 'asker_gone']),
  since: z.string(),
})
export type LeftRun = z.infer<typeof LeftRun>

/** All of them, at admission if there are any, and whenever one comes or goes. */
export const LeftRunning = z.object({ type: z.literal('left_running'), items: z.array(LeftRun) })

/** From an admitted approver: ends it with all that it started. `left_running` says when it is gone. */
export const EndRun = z.object({ type: z.literal('end_run'), requester: z.string().min(1).max(64), run_id: Id })
