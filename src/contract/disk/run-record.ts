import * as z from 'zod'
import { Id } from '../field.ts'
import { Carried, Sandbox, Verdict } from '../tool/response.ts'
import { ENDED_STATES, RUN_STATES } from '../tool/run-lists.ts'

/**
 * What a run leaves on disk, one JSON object per line, each written before the effect it records. A later server, or
 * another one on the same state directory, knows the run from these lines alone. Values of variables are never stored.
 */
const ProcessId = z.object({ pid: z.int(), start: z.string().nullable() })

/** Where git stood: its commit, its branch, and the checksum of what was staged. Read from its files; git itself is not started. */
export const RepositoryState = z.object({
  top: z.string(),
  /** Absent: there is no commit yet, or it is kept in a way that is not read here. */
  head: z.string().optional(),
  branch: z.string().optional(),
  index: z.string().optional(),
})
export type RepositoryState = z.infer<typeof RepositoryState>

export const OpenedLine = z.object({
  type: z.literal('opened'),
  v: z.literal(1),
  id: Id,
  trace_id: z.string(),
  client_request_id: z.string().nullable(),
  requester: z.string(),
  /** How the client calls itself. */
  client: z.string().optional(),
  lane: z.enum(['headless', 'interactive']),
  adapter: z.string(),
  terminal_id: Id.optional(),
  /** What kind of terminal it is and where that began: a later host opens it again under its id. */
  terminal: z.object({ profile: z.string(), home: z.string(), kind: z.enum(['runs', 'shell']).optional() }).optional(),
  command: z.string(),
  args: z.array(z.string()).nullable(),
  cwd: z.string(),
  workspace_id: z.string().nullable(),
  env_names: z.array(z.string()),
  payload_hash: z.string(),
  server: ProcessId.extend({ id: Id, version: z.string().optional() }),
  at: z.number(),
})
export type OpenedLine = z.infer<typeof OpenedLine>

/** Who approved it, and what a person wants to run instead. Written before the start. */
export const AllowedLine = z.object({
  type: z.literal('allowed'),
  id: Id,
  approved_by: z.enum(['person', 'allowlist']),
  command_executed: z.string().optional(),
  verdict: Verdict.optional(),
  at: z.number(),
})
export type AllowedLine = z.infer<typeof AllowedLine>

export const StartedLine = ProcessId.extend({
  type: z.literal('started'),
  id: Id,
  mark: z.string(),
  executable: z.string(),
  plan_hash: z.string(),
  at: z.number(),
  /** The process that owns its terminal: while that lives, the run does not die with its server. */
  pty_host: ProcessId.optional(),
  /** A line in the shell of this run: `pid` is the shell's, which is not its to end. */
  typed_into: Id.optional(),
  kill_after_ms: z.int().optional(),
  /** Where it really runs, when that is not where it was asked to. */
  cwd: z.string().optional(),
  /** It is tried in one. */
  sandbox: Sandbox.optional(),
  /** How large its terminal was. */
  size: z.object({ cols: z.int(), rows: z.int() }).optional(),
  /** As it was just before; null: no repository is around its directory. */
  repository: RepositoryState.nullable().optional(),
})
export type StartedLine = z.infer<typeof StartedLine>

/** What is true of a run in whatever state it is. */
export const RunFacts = z.object({
  approved_by: z.enum(['person', 'allowlist']).optional(),
  command_executed: z.string().optional(),
  /** Where it ran, if its terminal had moved on since it was asked for. */
  cwd: z.string().optional(),
  carried: Carried.optional(),
  /** What it was tried in; with `wanted` it failed there, and what came then came after a question. */
  sandbox: Sandbox.optional(),
  /** How the parts of the last pipeline ended, where the exit code hides that one failed. */
  pipestatus: z.array(z.int()).optional(),
  /** What somebody should know about it. */
  note: z.string().optional(),
  /** Processes of it that are there although it is over. */
  survivors: z.array(z.int()),
  output_bytes: z.int(),
  lost_bytes: z.int(),
  /** false: a background process holds the output open although the first one has ended. */
  drained: z.boolean(),
  /** What the gate said. */
  verdict: Verdict.optional(),
})
export type RunFacts = z.infer<typeof RunFacts>

export const EndedLine = z.object({
  type: z.literal('ended'),
  id: Id,
  state: z.enum(ENDED_STATES),
  at: z.number(),
  started_at: z.number().nullable(),
  took_ms: z.number().nullable(),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  /** kill: whoever asked for the run · person: the one who looks on, at their window or terminal. */
  ended_by: z.enum(['kill', 'cancelled', 'person', 'kill_after_ms', 'server_end']).nullable(),
  /** Why it was blocked, declined or failed. */
  why: z.string().nullable(),
  /** Which kind of failure, where callers act on it. */
  reason: z.string().optional(),
  destructive: z.boolean(),
  /** It failed because of what was asked for. */
  invalid: z.boolean().optional(),
  /** It needed approval and could not be shown to anybody. */
  unshown: z.boolean().optional(),
  /** How long the person, or the command, had before its time was up. */
  limit_ms: z.int().optional(),
  /** Of a declined one: nobody was asked this time, because the person declined it then, until then. */
  kept: z.object({ since: z.number(), until: z.number() }).optional(),
  ...RunFacts.shape,
})
export type EndedLine = z.infer<typeof EndedLine>

/** The status of a run, as much of it as a person is shown. */
export const RunOutcome = z.object({
  state: z.enum(RUN_STATES),
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  /** Who or what ended it, when it did not end by itself: kill, cancelled, person, kill_after_ms, server_end. */
  ended_by: z.string().nullable(),
  /** Why it was refused, declined or failed. */
  why: z.string().nullable(),
  /** Of a withdrawn one: who took it back. */
  reason: z.string().nullable(),
  /** The line that a person had run instead of the one that was asked for. */
  command_executed: z.string().nullable(),
})
export type RunOutcome = z.infer<typeof RunOutcome>

export const RecordLine = z.discriminatedUnion('type', [OpenedLine, AllowedLine, StartedLine, EndedLine])
export type RecordLine = z.infer<typeof RecordLine>
