import * as z from 'zod'
import { Id } from '../field.ts'

// What admitted approvers hear of who else is let in.

/** attach: only joins terminals. It shows no questions, so it counts for nobody who could answer. */
export const Surface = z.enum(['terminal', 'window', 'vscode', 'host_terminal', 'attach'])
export type Surface = z.infer<typeof Surface>

/** Somebody asks to be let in as an approver. The code is for the person's eyes: they type it there if they are that somebody. */
export const AdmissionAsked = z.object({
  type: z.literal('admission_asked'),
  admission_id: Id,
  name: z.string(),
  surface: Surface,
  /** Who is at the other end, where the machine tells. */
  process: z.object({ pid: z.int(), program: z.string() }).nullable(),
  code: z.string(),
  expires_in_ms: z.int(),
})
export type AdmissionAsked = z.infer<typeof AdmissionAsked>
export const AdmissionOver = z.object({
  type: z.literal('admission_over'),
  admission_id: Id,
  outcome: z.enum(['admitted', 'expired', 'refused', 'failed', 'left']),
})
export type AdmissionOver = z.infer<typeof AdmissionOver>
/** One more who may answer, and how they were let in. */
export const ApproverJoined = z.object({
  type: z.literal('approver_joined'),
  name: z.string(),
  surface: Surface,
  how: z.enum(['passphrase', 'code', 'own_terminal', 'ticket']),
})
export type ApproverJoined = z.infer<typeof ApproverJoined>
