import * as z from 'zod'
import { CALLER_SURFACES } from '../caller-surfaces.ts'
import { Command, Id, Text } from '../field.ts'
import { Preview } from '../preview/preview-frames.ts'
import { InputPieces } from '../tool/input.ts'
import { Verdict } from '../tool/response.ts'
import { WAIT_STATES } from '../wait-state.ts'
import { ABOUT_ADMISSION, FROM_NEWCOMER } from './admission-frames.ts'
import { Answered, AnswerRefused, NotStarted, Reminder, ShownHeard, Withdrawn } from './answer-frames.ts'
import { howAskerStands } from './asker.ts'
import { BlockedCommands } from './blocked-frames.ts'
import { FOUND_MOST, Found } from './found-frames.ts'
import { EditorTerminal } from './input-frames.ts'
import { EndRun, LeftRunning } from './left-run-frames.ts'
import { Project } from './project.ts'
import { Reach } from './reach.ts'
import { Scope } from './scope.ts'
import { OF_PANEL, ScreenUsed, UseScreen } from './screen-frames.ts'
import { ScriptBody } from './script-body.ts'
import { SetupFile } from './setup-frames.ts'
import { FROM_PERSON, TerminalOutput, TO_PERSON } from './terminal-frames.ts'

/**
 * What the host and somebody who may answer say to each other, on a listener of its own: no frame of the other listener
 * can answer a question, and being an approver is proved, never declared.
 */
export const APPROVER_PROTOCOL_VERSION = 2

// ── from the approver ────────────────────────────────────────────────────────────────────────────

/** The whole question, as it is in this revision, was on the screen. Answered with `shown_heard`: from then on an approval can count. */
export const Shown = z.object({ type: z.literal('shown'), ask_id: Id, revision: z.int().optional() })

/** The card is on the screen, perhaps not all of it: from now on no answer is silence, and no longer absence. */
export const InView = z.object({ type: z.literal('in_view'), ask_id: Id })

/** What would be said about this line instead of the one that was asked for? Answered with `judged`. */
export const Judge = z.object({ type: z.literal('judge'), ask_id: Id, command: Command })

export const AnswerFrame = z.object({
  type: z.literal('answer'),
  ask_id: Id,
  /** Of the question that was shown: an answer to anything else is refused. */
  plan_hash: z.string(),
  decision: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('approve'),
      scope: Scope,
      typed: z.string().optional(),
      /** With the answer the project becomes a trusted workspace: the directory as the person saw or wrote it. */
      trust: z.object({ directory: Text }).optional(),
      /** Of a `found` question: the rows that are not to count. All others then do. */
      drop: z.array(z.string().max(64)).max(FOUND_MOST).optional(),
    }),
    z.object({
      kind: z.literal('decline'),
      reason: Text.nullable(),
      /** For the rest of the day nobody is asked about this command again: by anybody in this project · by this agent anywhere. */
      keep: z.enum(['project', 'agent']).optional(),
    }),
    /** Approves another line instead, once: the one that was `judged` under this plan hash. */
    z.object({ kind: z.literal('edit'), command: Command, plan_hash: z.string(), typed: z.string().optional() }),
  ]),
})
export type AnswerFrame = z.infer<typeof AnswerFrame>

export const ApproverHeartbeat = z.object({ type: z.literal('heartbeat') })
export const Detach = z.object({ type: z.literal('detach') })

export const FROM_APPROVER = [
  ...FROM_NEWCOMER,
  Shown,
  InView,
  Judge,
  AnswerFrame,
  EndRun,
  UseScreen,
  ApproverHeartbeat,
  Detach,
] as const
export const FromApprover = z.discriminatedUnion('type', [...FROM_APPROVER, ...FROM_PERSON, ...OF_PANEL])
export type FromApprover = z.infer<typeof FromApprover>

// ── to the approver ──────────────────────────────────────────────────────────────────────────────

export const Admitted = z.object({
  type: z.literal('admitted'),
  protocol_version: z.int(),
  approver_id: Id,
  instance_id: Id,
  heartbeat_interval_ms: z.int(),
  /** A grave command is approved only with this text typed in `typed`. */
  grave_text: z.string(),
  /** An approval that comes sooner after `shown_heard` than this is refused: keys in flight never approve. Declining counts at once. */
  arming_ms: z.int(),
})
export const Refused = z.object({ type: z.literal('refused'), reason: z.string() })

/** Something a person must know. */
export const Alarm = z.object({ type: z.literal('alarm'), message: z.string() })

const everyQuestion = {
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
  ...howAskerStands,
}

export const CommandQuestion = z.object({
  type: z.literal('question'),
  kind: z.literal('command'),
  ...everyQuestion,
  session_id: Id,
  terminal_id: Id.nullable(),
  intent: z.enum(['execute_command', 'open_only']),
  /** From what kind of place the asker says it calls. Its own word, like its name. */
  caller_surface: z.enum(CALLER_SURFACES).optional(),
  command: z.string(),
  args: z.array(z.string()).nullable(),
  shell: z.string(),
  /** It is typed into a shell of the person's own that is there already. */
  typed_into_shell: z.boolean(),
  /** The terminal is the editor's, which types the line itself once it may. */
  editor_terminal: EditorTerminal.optional(),
  cwd: z.string(),
  workspace_directory: z.string().nullable(),
  /** What the request sets, and what its terminal carries on from earlier commands; null: unset. */
  env: z.array(z.object({ name: z.string(), value: z.string().nullable(), carried: z.boolean().optional() })),
  venv: z.string().nullable(),
  executables: z.array(z.string()),
  /** Programs of the line of which nobody can say beforehand which file they are; words of the agent. */
  found_when_run: z.array(z.string()),
  stands_for: z.array(ScriptBody),
  /** Files that run with it and are not shown: what a shown script sources or imports. null: which file that is shows when it runs. */
  not_shown: z.array(z.object({ name: z.string(), path: z.string().nullable(), by: z.string() })),
  /** Asked again: what is not as it was when the same request was approved before, one sentence each. Nothing of it ran. */
  changed: z.array(z.string()),
  verdict: Verdict,
  /** Whom and what it reaches beyond the project, to be shown beside the command. */
  reaches: z.array(Reach),
  /** Hard to undo: needs `typed`, and no scope but once. */
  grave: z.boolean(),
  /** The line as rules, word by word. */
  proposed_rules: z.array(z.string()),
  /** The same with an open end where one is usual (`npm install *`); empty: there is none. */
  wider_rules: z.array(z.string()),
  project: Project,
  kill_after_ms: z.int().nullable(),
})
export const RulesQuestion = z.object({
  type: z.literal('question'),
  kind: z.literal('rules'),
  ...everyQuestion,
  workspace_directory: z.string().nullable(),
  layer: z.enum(['base', 'headless']),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** The directory that becomes the workspace by this, and whether its own code may then run without asking. */
  binds: z
    .object({
      directory: z.string(),
      trusted: z.boolean(),
      /** Whether what no rule covers is tried in the sandbox there, from then on. Absent: as it was. */
      tries: z.boolean().optional(),
    })
    .optional(),
})
/** Something is to be typed into a program that runs, for an agent. */
export const InputQuestion = z.object({
  type: z.literal('question'),
  kind: z.literal('input'),
  ...everyQuestion,
  session_id: Id,
  terminal_id: Id,
  terminal_name: z.string(),
  /** The line that the program was started with. */
  command: z.string(),
  /** What reads there now, as the system names it; null: not known. */
  program: z.string().nullable(),
  wait_state: z.enum(WAIT_STATES),
  wait_evidence: z.string(),
  /** The last of what was printed, as a person sees it. */
  printed: z.string(),
  /** Exactly what would be typed. */
  input: InputPieces,
  /** It would be executed: by a shell, whose reader has judged it, or by another program that runs what is typed. */
  executes: z.enum(['shell', 'interpreter']).nullable(),
  verdict: Verdict.nullable(),
  grave: z.boolean(),
})
export type InputQuestion = z.infer<typeof InputQuestion>
/** Somebody is to be paired by name: a container, or another client with runs of its own. */
export const PairingQuestion = z.object({
  type: z.literal('question'),
  kind: z.literal('pairing'),
  ...everyQuestion,
  name: z.string(),
})
/** A client's own files are to be changed, so that it asks here or no longer does. */
export const SetupQuestion = z.object({
  type: z.literal('question'),
  kind: z.literal('setup'),
  ...everyQuestion,
  target: z.string(),
  files: z.array(SetupFile),
})
/** What is in files of ours and no person is known to have decided (docs/spec.md D26): each row counts, or is taken out, after the answer. */
export const FoundQuestion = z.object({
  type: z.literal('question'),
  kind: z.literal('found'),
  ...everyQuestion,
  ...Found,
})
export type FoundQuestion = z.infer<typeof FoundQuestion>
const NO_COMMAND = [InputQuestion, RulesQuestion, PairingQuestion, SetupQuestion, FoundQuestion] as const
export const Question = z.discriminatedUnion('kind', [CommandQuestion, ...NO_COMMAND])
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
  reaches: z.array(Reach),
  grave: z.boolean(),
  executables: z.array(z.string()),
})
export type Judged = z.infer<typeof Judged>

export const Presence = z.object({
  type: z.literal('presence'),
  approvers: z.int(),
  pending: z.int(),
  /** Questions that were turned away since nothing waited, because as many waited as may. */
  turned_away: z.int(),
  running: z.int(),
  /** What keeps a run from approving a run on this machine. */
  protection: z.string(),
})

/** About questions and who may answer them. */
export const TO_APPROVER = [
  ...ABOUT_ADMISSION,
  Admitted,
  Refused,
  Alarm,
  ShownHeard,
  Judged,
  Answered,
  NotStarted,
  Reminder,
  AnswerRefused,
  Withdrawn,
  Preview,
  LeftRunning,
  BlockedCommands,
  Presence,
  ScreenUsed,
  ApproverHeartbeat,
] as const
export const ToApprover = z.union([
  Question,
  z.discriminatedUnion('type', [...TO_APPROVER, ...TO_PERSON, TerminalOutput]),
])
export type ToApprover = z.infer<typeof ToApprover>
