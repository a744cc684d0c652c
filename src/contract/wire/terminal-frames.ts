import * as z from 'zod'
import { RunOutcome } from '../disk/run-record.ts'
import { Id, Path, Text, WorkspaceId } from '../field.ts'
import { PROFILES } from '../profiles.ts'
import { WAIT_STATES } from '../wait-state.ts'

/**
 * What somebody who proved to be the person may do with terminals, and what they are sent about them: the same frames in a
 * window and in a terminal. Only the bytes of output differ: binary messages to a window (contract/window/window-output.ts),
 * `terminal_output` to a terminal.
 */

/** A request: answered with `done` or `failed`, under its request_id. */
export const asking = { request_id: Id }
const aboutTerminal = { ...asking, terminal_id: Id }
const size = { cols: z.int().min(2).max(1000), rows: z.int().min(1).max(1000) }

// ── from the person ──────────────────────────────────────────────────────────────────────────────

export const TerminalCreate = z.object({
  type: z.literal('terminal_create'),
  ...asking,
  profile: z.enum(PROFILES),
  cwd: Path.nullable(),
  /** Counts in the shell from the beginning; seen from `cwd`. */
  venv: Path.optional(),
  workspace_id: WorkspaceId.nullable(),
  ...size,
})
export const TerminalRename = z.object({
  type: z.literal('terminal_rename'),
  ...aboutTerminal,
  name: Text.refine(name => name.trim() !== '', 'must not be empty').refine(
    name => name.length <= 80,
    'must be at most 80 characters',
  ),
})
/** Ends what runs in it. */
export const TerminalClose = z.object({ type: z.literal('terminal_close'), ...aboutTerminal })
/** The tab of an agent's terminal that was closed because nothing happened in it comes back. */
export const TerminalReopen = z.object({ type: z.literal('terminal_reopen'), ...aboutTerminal })
/** Every tab of an agent in which nothing runs, waits or is asked closes now, unless an approval holds for it. */
export const TerminalsCloseIdle = z.object({ type: z.literal('terminals_close_idle'), ...asking })
/**
 * Ends what runs in it and opens the person's shell there again; with `profile` another one, also for later commands, with `cwd`
 * elsewhere, with `venv` in a virtual environment. What is wrong with these is said before anything ends.
 */
export const TerminalRestart = z.object({
  type: z.literal('terminal_restart'),
  ...aboutTerminal,
  profile: z.enum(PROFILES).optional(),
  cwd: Path.optional(),
  venv: Path.optional(),
})
/** Bytes, in base64. No answer, but `failed` under the request_id `terminal_input` when they do not arrive. That somebody typed is written down. */
export const TerminalInput = z.object({
  type: z.literal('terminal_input'),
  terminal_id: Id,
  data: z.base64().max(128 * 1024),
})
export const TerminalResize = z.object({ type: z.literal('terminal_resize'), terminal_id: Id, ...size })

/**
 * Shows a terminal: answered with `watching`, then output. `have` is what is here already of that run; without it, or when too
 * much was missed, a `snapshot` comes first.
 */
export const TerminalWatch = z.object({
  type: z.literal('terminal_watch'),
  ...aboutTerminal,
  /** An older run of this terminal; null: the one that runs, else the last one. */
  run_id: Id.nullable(),
  have: z.int().min(0).nullable(),
  /**
   * True: output as it was printed, each byte once, from `have` on (null: its last part), and then that of every later run in
   * this terminal, each with a `watching` of its own. No `snapshot`: for a screen that is not ours to clear.
   */
  every_byte: z.boolean().optional(),
  ...size,
})
/** The commands that were in it lately: answered with `terminal_runs_shown`. */
export const TerminalRuns = z.object({ type: z.literal('terminal_runs'), ...aboutTerminal })
/** Ends one command there with all that it started; one that waits never begins. The terminal stays. */
export const RunStop = z.object({ type: z.literal('run_stop'), ...aboutTerminal, run_id: Id })
export const TerminalUnwatch = z.object({ type: z.literal('terminal_unwatch'), ...aboutTerminal })
/** Everything of this stream up to here is drawn. The host sends at most so much beyond it: 1 MiB to a window, 256 KiB to a terminal. */
export const OutputAck = z.object({ type: z.literal('output_ack'), stream: z.int().min(0), offset: z.int().min(0) })

export const FROM_PERSON = [
  TerminalCreate,
  TerminalRename,
  TerminalClose,
  TerminalReopen,
  TerminalsCloseIdle,
  TerminalRestart,
  TerminalInput,
  TerminalResize,
  TerminalWatch,
  TerminalRuns,
  RunStop,
  TerminalUnwatch,
  OutputAck,
] as const
export type TerminalCommand = z.infer<(typeof FROM_PERSON)[number]>

// ── to the person ────────────────────────────────────────────────────────────────────────────────

export const Done = z.object({ type: z.literal('done'), ...asking, terminal_id: Id.nullable() })
export const Failed = z.object({
  type: z.literal('failed'),
  ...asking,
  error: z.object({ code: z.string(), message: z.string() }),
})

export const TerminalState = z.object({
  terminal_id: Id,
  name: z.string(),
  /** runs: each command is a process of its own · shell: the person's own shell. */
  kind: z.enum(['runs', 'shell']),
  profile: z.string(),
  cwd: z.string(),
  venv: z.string().nullable(),
  requester: z.string(),
  workspace_id: z.string().nullable(),
  /** idle: the last run is over or none was · shell: the person's own shell · running: a command of an agent. */
  state: z.enum(['idle', 'shell', 'running']),
  /** The run that is in it, else the last one. */
  run_id: Id.nullable(),
  command: z.string().nullable(),
  /** The status of that run. */
  outcome: RunOutcome.nullable(),
  /** Open questions that would run here. */
  pending: z.int(),
  /** Runs that wait for their turn. */
  waiting: z.int(),
  /** What the program in it waits for; absent: nothing, as far as is known. */
  wait_state: z.enum(WAIT_STATES).optional(),
  /** What it printed last, while it waits. */
  asks: z.string().optional(),
  /** Who typed there in the last seconds. While it is the person, nothing is typed for an agent. */
  keyboard: z.enum(['person', 'agent']).optional(),
})
export type TerminalState = z.infer<typeof TerminalState>
/** A tab that was closed because nothing happened in it. Its output is in its runs, and it comes back when it is used again. */
export const ClosedTerminal = z.object({
  terminal_id: Id,
  name: z.string(),
  requester: z.string(),
  cwd: z.string(),
  closed_at: z.string(),
})
export type ClosedTerminal = z.infer<typeof ClosedTerminal>
/** All of them, whenever one comes, goes or changes; and the latest that were closed because nothing happened in them. */
export const TerminalsFrame = z.object({
  type: z.literal('terminals'),
  items: z.array(TerminalState),
  closed: z.array(ClosedTerminal).optional(),
})

/** One command of a terminal, as a person is shown it. */
export const RunBlock = z.object({
  run_id: Id,
  /** As it was asked for, its arguments quoted, at most 2,000 characters; empty: the person's own shell. */
  line: z.string(),
  /** It was longer. */
  is_cut: z.boolean(),
  /** Of whoever asked: the client's own word. */
  client: z.string(),
  /** Where it runs, or would have. */
  cwd: z.string(),
  /** How long it has run, or ran; null: it has not started, or nobody knows. */
  ran_ms: z.int().min(0).nullable(),
  outcome: RunOutcome,
})
export type RunBlock = z.infer<typeof RunBlock>
export const TerminalRunsShown = z.object({
  type: z.literal('terminal_runs_shown'),
  ...aboutTerminal,
  /** The newest last. */
  items: z.array(RunBlock),
  /** How many older ones are not among them. */
  older: z.int().min(0),
})

/** Output with this number is of this run from now on; the next piece starts at `offset`. */
export const Watching = z.object({
  type: z.literal('watching'),
  ...aboutTerminal,
  stream: z.int(),
  run_id: Id,
  command: z.string(),
  offset: z.int(),
  /** Bytes the run has printed so far. */
  end: z.int(),
  running: z.boolean(),
})
/** The screen as it was at `offset`, as text for a terminal: clear, write this, then go on with the output from there. */
export const Snapshot = z.object({
  type: z.literal('snapshot'),
  stream: z.int(),
  screen: z.string(),
  ...size,
  offset: z.int(),
  /** Bytes before the screen that are not in it: only the log has them. */
  omitted_bytes: z.int(),
})
/** No more output comes on this stream: the run is over and all of it was sent. */
export const StreamEnd = z.object({ type: z.literal('stream_end'), stream: z.int(), outcome: RunOutcome })

export const TO_PERSON = [Done, Failed, TerminalsFrame, TerminalRunsShown, Watching, Snapshot, StreamEnd] as const
export type ToPerson = z.infer<(typeof TO_PERSON)[number]>

/** What is printed, on a connection that has no binary messages. */
export const TerminalOutput = z.object({
  type: z.literal('terminal_output'),
  stream: z.int(),
  /** Where in the run's output the bytes begin. */
  offset: z.int(),
  data: z.base64(),
})
