import * as z from 'zod'
import { RunOutcome } from '../disk/run-record.ts'
import { Id, Path, Text, WorkspaceId } from '../field.ts'
import { WAIT_STATES } from '../wait-state.ts'

/**
 * What somebody who proved to be the person may do with terminals, on the listener of the approvers: see, join, type into,
 * resize, rename, restart, close and open them. Bytes are base64.
 */
export const PROFILES = ['powershell', 'pwsh', 'cmd', 'bash', 'zsh', 'fish', 'sh', 'system'] as const

const about = { terminal_id: Id }
const size = { cols: z.int().min(2).max(1000), rows: z.int().min(1).max(1000) }
const Bytes = z.base64().max(128 * 1024)

// ── from the person ──────────────────────────────────────────────────────────────────────────────

export const TerminalOpen = z.object({
  type: z.literal('terminal_open'),
  profile: z.enum(PROFILES).optional(),
  cwd: Path.optional(),
  name: Text.optional(),
  workspace_id: WorkspaceId.optional(),
})
/** Its output from now on, beginning at `cursor` of the run that is in it, or with the last of what was printed. */
export const TerminalJoin = z.object({
  type: z.literal('terminal_join'),
  ...about,
  cursor: z.int().min(0).optional(),
})
export const TerminalLeave = z.object({ type: z.literal('terminal_leave'), ...about })
/** Everything of this run before this offset has been dealt with. */
export const TerminalSeen = z.object({ type: z.literal('terminal_seen'), ...about, run_id: Id, up_to: z.int().min(0) })
export const TerminalInput = z.object({ type: z.literal('terminal_input'), ...about, data: Bytes })
export const TerminalResize = z.object({ type: z.literal('terminal_resize'), ...about, ...size })
export const TerminalRename = z.object({ type: z.literal('terminal_rename'), ...about, name: Text })
/** Another shell for what runs in it from now on; the person's own shell begins anew. */
export const TerminalProfile = z.object({ type: z.literal('terminal_profile'), ...about, profile: z.enum(PROFILES) })
export const TerminalRestart = z.object({ type: z.literal('terminal_restart'), ...about })
export const TerminalClose = z.object({ type: z.literal('terminal_close'), ...about })

export const FROM_PERSON = [
  TerminalOpen,
  TerminalJoin,
  TerminalLeave,
  TerminalSeen,
  TerminalInput,
  TerminalResize,
  TerminalRename,
  TerminalProfile,
  TerminalRestart,
  TerminalClose,
] as const
export type TerminalCommand = z.infer<(typeof FROM_PERSON)[number]>

// ── to the person ────────────────────────────────────────────────────────────────────────────────

export const SeenTerminal = z.object({
  terminal_id: Id,
  name: z.string(),
  /** runs: each command is a process of its own · shell: the person's own shell */
  kind: z.enum(['runs', 'shell']),
  requester: z.string(),
  workspace_id: z.string().nullable(),
  profile: z.enum(PROFILES),
  cwd: z.string(),
  /** Variables its commands have changed, by name. */
  carried_env: z.array(z.string()),
  cols: z.int(),
  rows: z.int(),
  busy_with: Id.nullable(),
  waiting: z.array(Id),
  /** What the program in it waits for; absent: nothing, as far as is known. */
  wait_state: z.enum(WAIT_STATES).optional(),
})
export type SeenTerminal = z.infer<typeof SeenTerminal>

/** All of them, whenever one comes, goes or changes. */
export const TerminalList = z.object({ type: z.literal('terminals'), terminals: z.array(SeenTerminal) })
/** Which run is in a terminal you joined; said again when it has ended, and when another one begins. */
export const TerminalRun = z.object({
  type: z.literal('terminal_run'),
  ...about,
  run_id: Id,
  command: z.string(),
  outcome: RunOutcome,
  /** What it had printed by then: what comes before that was printed for others. */
  output_bytes: z.int(),
})
export const TerminalOutput = z.object({
  type: z.literal('terminal_output'),
  ...about,
  run_id: Id,
  /** Where in the run's output the bytes begin. */
  at: z.int(),
  data: z.base64(),
})
/** You are no longer in it: it was closed. */
export const TerminalLeft = z.object({ type: z.literal('terminal_left'), ...about, why: z.string() })
export const TerminalProblem = z.object({
  type: z.literal('terminal_problem'),
  terminal_id: Id.nullable(),
  problem: z.string(),
})

export const TO_PERSON = [TerminalList, TerminalRun, TerminalOutput, TerminalLeft, TerminalProblem] as const
export type ToPerson = z.infer<(typeof TO_PERSON)[number]>
