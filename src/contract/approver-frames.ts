import * as z from 'zod'
import { Command, Id, Text } from './field.ts'
import { Verdict } from './response.ts'
import { FROM_PERSON, TO_PERSON } from './terminal-frames.ts'

/**
 * What the host and somebody who may answer say to each other, on a listener of its own: no frame of the other listener
 * can answer a question, and being an approver is proved, never declared.
 */
export const APPROVER_PROTOCOL_VERSION = 1

const Hex32 = z.string().regex(/^[0-9a-f]{64}$/)
/** attach: only joins terminals. It shows no questions, so it counts for nobody who could answer. */
const Surface = z.enum(['terminal', 'window', 'vscode', 'host_terminal', 'attach'])
export type Surface = z.infer<typeof Surface>

// ── from the approver ────────────────────────────────────────────────────────────────────────────

export const Attach = z.object({
  type: z.literal('attach'),
  protocol_version: z.int(),
  surface: Surface,
  name: Text,
  /** SHA-256 of the `opening` that `ask_code` may show later (base/admission-code.ts). A new one with each `attach`. */
  commitment: Hex32,
})
/** Signs the challenge with the key the passphrase stands for (base/approver-key.ts). */
export const Prove = z.object({ type: z.literal('prove'), signature: z.string().regex(/^[0-9a-f]{128}$/) })
/** Asks that a code be shown in every approver who is admitted. */
export const AskCode = z.object({ type: z.literal('ask_code'), opening: Hex32 })
/** The first six digits of the code; sent only when the last three are those of this very link. */
export const EnterCode = z.object({ type: z.literal('enter_code'), secret: z.string().regex(/^\d{6}$/) })
/** From an admitted approver: whoever asks to be let in there is not me. */
export const RefuseAdmission = z.object({ type: z.literal('refuse_admission'), admission_id: Id })
/** The whole question was on the screen. Before that nobody can answer it. */
export const Shown = z.object({ type: z.literal('shown'), ask_id: Id })

/** What would be said about this line instead of the one that was asked for? Answered with `judged`. */
export const Judge = z.object({ type: z.literal('judge'), ask_id: Id, command: Command })

/** How far a yes reaches. The rules are shown one per line and may be edited; none may cover a grave command. */
export const Scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once') }),
  z.object({ kind: z.literal('terminal'), rules: z.array(Text).min(1).max(32) }),
  z.object({ kind: z.literal('workspace'), rules: z.array(Text).min(1).max(32) }),
  z.object({ kind: z.literal('time'), rules: z.array(Text).min(1).max(32), minutes: z.int().min(1).max(480) }),
])
export type Scope = z.infer<typeof Scope>

export const AnswerFrame = z.object({
  type: z.literal('answer'),
  ask_id: Id,
  /** Of the question that was shown: an answer to anything else is refused. */
  plan_hash: z.string(),
  decision: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('approve'), scope: Scope, typed: z.string().optional() }),
    z.object({ kind: z.literal('decline'), reason: Text.nullable() }),
    /** Approves another line instead, once: the one that was `judged` under this plan hash. */
    z.object({ kind: z.literal('edit'), command: Command, plan_hash: z.string(), typed: z.string().optional() }),
  ]),
})
export type AnswerFrame = z.infer<typeof AnswerFrame>

export const ApproverHeartbeat = z.object({ type: z.literal('heartbeat') })
export const Detach = z.object({ type: z.literal('detach') })

export const FROM_APPROVER = [
  Attach,
  Prove,
  AskCode,
  EnterCode,
  RefuseAdmission,
  Shown,
  Judge,
  AnswerFrame,
  ApproverHeartbeat,
  Detach,
] as const
export const FromApprover = z.discriminatedUnion('type', [...FROM_APPROVER, ...FROM_PERSON])
export type FromApprover = z.infer<typeof FromApprover>

// ── to the approver ──────────────────────────────────────────────────────────────────────────────

export const Challenge = z.object({
  type: z.literal('challenge'),
  nonce: z.string(),
  /** null: it is not taken now, because `code` is the way in; or, without `code`, none was ever set. */
  passphrase: z.object({ salt: z.string(), cost: z.int() }).nullable(),
  /** Somebody is admitted already: `ask_code` shows a code there. */
  code: z.object({ shown_in: z.array(z.string()) }).nullable(),
  problem: z.string().nullable(),
})
/** The code is on the screens of these approvers now, for so long. */
export const CodeShown = z.object({
  type: z.literal('code_shown'),
  shown_in: z.array(z.string()),
  expires_in_ms: z.int(),
  /** Whether the passphrase is taken as well after that; not when none was ever set. */
  passphrase_then: z.boolean(),
  problem: z.string().nullable(),
})
export const Admitted = z.object({
  type: z.literal('admitted'),
  protocol_version: z.int(),
  approver_id: Id,
  instance_id: Id,
  heartbeat_interval_ms: z.int(),
  /** A grave command is approved only with this text typed in `typed`. */
  grave_text: z.string(),
  /** Answers that come sooner after `shown` than this are refused: keys in flight never decide. */
  arming_ms: z.int(),
})
export const Refused = z.object({ type: z.literal('refused'), reason: z.string() })

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
/** Something a person must hear of. */
export const Alarm = z.object({ type: z.literal('alarm'), message: z.string() })

const asked = {
  ask_id: Id,
  requester: z.string(),
  client: z.string(),
  request_id: Id,
  trace_id: Id,
  workspace_id: z.string().nullable(),
  /** What the asker says about it. Untrusted text. */
  context: z.string().nullable(),
  plan_hash: z.string(),
  asked_at: z.string(),
  expires_in_ms: z.int(),
}
/** What a word of the line stands for, as read when the question was asked. The plan hash covers it; another one is asked anew. */
export const StandsFor = z.object({
  /** `bash x.sh` and a program that is itself a script · `npm run x` · `make x`. */
  kind: z.enum(['script', 'package_script', 'make_target']),
  /** "./deploy.sh", "build", "install". */
  name: z.string(),
  path: z.string(),
  text: z.string(),
  /** Of `text`, when it is too long to be shown. */
  omitted_bytes: z.int(),
  hash: z.string(),
})
export type StandsFor = z.infer<typeof StandsFor>
export const CommandQuestion = z.object({
  type: z.literal('question'),
  kind: z.literal('command'),
  ...asked,
  session_id: Id,
  terminal_id: Id.nullable(),
  intent: z.enum(['execute_command', 'open_only']),
  command: z.string(),
  args: z.array(z.string()).nullable(),
  shell: z.string(),
  cwd: z.string(),
  workspace_directory: z.string().nullable(),
  /** What the request sets, and what its terminal carries on from earlier commands; null: unset. */
  env: z.array(z.object({ name: z.string(), value: z.string().nullable(), carried: z.boolean().optional() })),
  venv: z.string().nullable(),
  executables: z.array(z.string()),
  stands_for: z.array(StandsFor),
  verdict: Verdict,
  /** Hard to undo: needs `typed`, and no scope but once. */
  grave: z.boolean(),
  proposed_rules: z.array(z.string()),
  kill_after_ms: z.int().nullable(),
})
export const RulesQuestion = z.object({
  type: z.literal('question'),
  kind: z.literal('rules'),
  ...asked,
  workspace_directory: z.string().nullable(),
  layer: z.enum(['base', 'headless']),
  added: z.array(z.string()),
  removed: z.array(z.string()),
})
/** Somebody is to be let in by name: a container, or another client with runs of its own. */
export const PairingQuestion = z.object({
  type: z.literal('question'),
  kind: z.literal('pairing'),
  ...asked,
  name: z.string(),
})
export const Question = z.discriminatedUnion('kind', [CommandQuestion, RulesQuestion, PairingQuestion])
export type Question = z.infer<typeof Question>

/** What an edited line would be: shown, before it can be approved. */
export const Judged = z.object({
  type: z.literal('judged'),
  ask_id: Id,
  command: z.string(),
  /** null: it cannot be approved, and `problem` says why. */
  plan_hash: z.string().nullable(),
  problem: z.string().nullable(),
  verdict: Verdict,
  grave: z.boolean(),
  executables: z.array(z.string()),
})
export type Judged = z.infer<typeof Judged>

/** Somebody's answer counted: the first one does. */
export const Answered = z.object({
  type: z.literal('answered'),
  ask_id: Id,
  outcome: z.enum(['approved', 'declined']),
  by: z.string(),
  yours: z.boolean(),
})
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
  why: z.enum(['cancelled', 'asker_gone', 'expired', 'host_ends']),
})
export const Presence = z.object({
  type: z.literal('presence'),
  approvers: z.int(),
  pending: z.int(),
  running: z.int(),
  /** What keeps a run from approving a run on this machine. */
  protection: z.string(),
})

/** About questions and who may answer them; a window has frames of its own for terminals. */
export const TO_APPROVER = [
  Challenge,
  CodeShown,
  Admitted,
  Refused,
  AdmissionAsked,
  AdmissionOver,
  ApproverJoined,
  Alarm,
  Judged,
  Answered,
  AnswerRefused,
  Withdrawn,
  Presence,
  ApproverHeartbeat,
] as const
export const ToApprover = z.union([Question, z.discriminatedUnion('type', [...TO_APPROVER, ...TO_PERSON])])
export type ToApprover = z.infer<typeof ToApprover>
