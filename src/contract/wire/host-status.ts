import * as z from 'zod'
import { Id } from '../field.ts'
import { addressed } from './addressed.ts'

/** How a host is doing, for `interactive-terminal status`. Only the person's own programs may ask. */
export const StatusRequest = z.object({ type: z.literal('status'), ...addressed })

export const StatusAnswered = z.object({
  type: z.literal('status_answered'),
  ...addressed,
  version: z.string(),
  instance_id: Id,
  pid: z.int(),
  port: z.int(),
  approver_port: z.int(),
  /** Windows that are open now. */
  windows: z.int(),
  /** Everybody who may answer now, windows included. */
  approvers: z.array(z.string()),
  agents: z.array(z.object({ name: z.string(), requester: z.string(), connections: z.int() })),
  /** Commands and the person's own shells. */
  running: z.array(z.object({ session_id: Id, terminal_id: Id, requester: z.string(), command: z.string() })),
  /** Questions that nobody has answered yet. */
  waiting: z.int(),
  pty_host: z.object({ health: z.enum(['well', 'starting', 'gone']), detail: z.string() }),
})
export type StatusAnswered = z.infer<typeof StatusAnswered>
