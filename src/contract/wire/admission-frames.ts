import * as z from 'zod'
import { Id, Text } from '../field.ts'

// How somebody becomes an approver, and what those who are admitted learn of it.

const Hex32 = z.string().regex(/^[0-9a-f]{64}$/)
const Signature = z.string().regex(/^[0-9a-f]{128}$/)

/** attach: only joins terminals. It shows no questions, so it counts for nobody who could answer. */
export const Surface = z.enum(['terminal', 'window', 'vscode', 'host_terminal', 'attach'])
export type Surface = z.infer<typeof Surface>

const Attach = z.object({
  type: z.literal('attach'),
  protocol_version: z.int(),
  surface: Surface,
  name: Text,
  /** SHA-256 of the `opening` that `ask_code` may show later (base/keys/admission-code.ts). A new one with each `attach`. */
  commitment: Hex32,
})
/** Signs the challenge with the key the passphrase stands for (base/keys/approver-key.ts). */
const Prove = z.object({
  type: z.literal('prove'),
  signature: Signature,
  /** The same key over `seal_key` of the challenge: from then on the host seals what is decided there (ADR 46). */
  seal_signature: Signature.optional(),
})
/** Asks that a code be shown in every approver who is admitted. */
const AskCode = z.object({ type: z.literal('ask_code'), opening: Hex32 })
/** The first six digits of the code; sent only when the last three are those of this very link. */
const EnterCode = z.object({ type: z.literal('enter_code'), secret: z.string().regex(/^\d{6}$/) })
/** From an admitted approver: whoever asks to be admitted there is not me. */
const RefuseAdmission = z.object({ type: z.literal('refuse_admission'), admission_id: Id })

const Challenge = z.object({
  type: z.literal('challenge'),
  nonce: z.string(),
  /** null: it is not taken now, because `code` is the way in; or, without `code`, none was ever set. */
  passphrase: z.object({ salt: z.string(), cost: z.int() }).nullable(),
  /** A key that this host made for its life; signed, it may seal. */
  seal_key: z.string().max(256).optional(),
  /** Somebody is admitted already: `ask_code` shows a code there. */
  code: z.object({ shown_in: z.array(z.string()) }).nullable(),
  problem: z.string().nullable(),
})
/** The code is on the screens of these approvers now, for so long. */
const CodeShown = z.object({
  type: z.literal('code_shown'),
  shown_in: z.array(z.string()),
  expires_in_ms: z.int(),
  /** Whether the passphrase is taken as well after that; not when none was ever set. */
  passphrase_then: z.boolean(),
  problem: z.string().nullable(),
})

/** Somebody asks to be admitted as an approver. The code is for the person's eyes: they type it there if they are that somebody. */
export const AdmissionAsked = z.object({
  type: z.literal('admission_asked'),
  admission_id: Id,
  name: z.string(),
  surface: Surface,
  /** Who is at the other end, where the machine shows it. */
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
/** One more who may answer, and how they were admitted. */
export const ApproverJoined = z.object({
  type: z.literal('approver_joined'),
  name: z.string(),
  surface: Surface,
  how: z.enum(['passphrase', 'code', 'own_terminal', 'ticket']),
})
export type ApproverJoined = z.infer<typeof ApproverJoined>

export const FROM_NEWCOMER = [Attach, Prove, AskCode, EnterCode, RefuseAdmission] as const
export const ABOUT_ADMISSION = [Challenge, CodeShown, AdmissionAsked, AdmissionOver, ApproverJoined] as const
