import * as z from 'zod'
import { CALLER_SURFACES } from '../caller-surfaces.ts'
import { Args, Command, Context, Env, Id, Millis, Path, Text, WorkspaceId } from '../field.ts'
import { PROFILES } from '../profiles.ts'
import { OutputOptions } from '../tool/output-options.ts'
import { ErrorBody, Human, Result } from '../tool/response.ts'
import { ListItem, RUN_STATES, TerminalItem } from '../tool/run-lists.ts'
import { WAIT_STATES } from '../wait-state.ts'
import { addressed, answered } from './addressed.ts'
import { ASKER_NEWS, Asker } from './asker.ts'
import { StatusAnswered, StatusRequest } from './host-status.ts'
import { ABOUT_PERMITS, InputRequest, PERMIT_ANSWERS } from './input-frames.ts'
import { lenient } from './lenient-frame.ts'
import { ReadReceipt, ReceiptRead } from './receipt-frames.ts'
import { ShowWindow, WindowShown } from './screen-frames.ts'
import { SetupAnswered, SetupRequest } from './setup-frames.ts'

/**
 * What an MCP server and the host say to each other: one JSON object per line, snake_case, lower-case values.
 *
 * `request_id` names the request a frame belongs to; a reply carries the same. Writers send it as `id` too, readers take
 * either (docs/spec.md D2). For `command_request` it is also the id of the run, its `session_id`.
 */
export const PROTOCOL_VERSION = 1

export const HOST_CAPABILITIES = ['cancel', 'read_output', 'kill', 'list', 'progress', 'allowlist_update'] as const

const fromAsker = { ...addressed, asker: Asker.optional() }
const Adapter = z.enum(['headless_process', 'host_bridge_local', 'container_bridge_to_host'])
const Visibility = z.enum(['visible', 'background', 'hidden'])

// ── from the MCP server ──────────────────────────────────────────────────────────────────────────

export const Hello = z.object({
  type: z.literal('hello'),
  protocol_version: z.int(),
  capabilities: z.array(z.string()),
  trace_id: Id,
  /** Stays the same when the server connects again: questions belong to it, not to a connection. */
  runtime_session_id: Id,
  /** Shown to the person as the asker says it; grants nothing. */
  client: z.object({ name: Text, version: Text, pid: z.int().nullable() }).optional(),
  /** For whom the stand-alone bridge speaks. From anybody else it ends the connection: identity comes from the key, not from the frame. */
  peer: z.object({ name: Text }).optional(),
})
export type Hello = z.infer<typeof Hello>

export const CommandRequest = z.object({
  type: z.literal('command_request'),
  ...fromAsker,
  client_request_id: Id.optional(),
  intent: z.enum(['execute_command', 'open_only']).default('execute_command'),
  command: Command.optional(),
  args: Args.optional(),
  env: Env.optional(),
  /** Where it must run. Without it: where its terminal is, which begins in workspace_path. */
  working_directory: Path.optional(),
  context: Context.optional(),
  /** From what kind of place the agent says it asks. */
  caller_surface: z.enum(CALLER_SURFACES).optional(),
  /** A terminal by its id, or by a run that was in it. */
  terminal_id: Id.optional(),
  session_id: Id.optional(),
  terminal_profile: z.enum(PROFILES).optional(),
  workspace_id: WorkspaceId.optional(),
  workspace_path: Path.optional(),
  venv_path: Path.optional(),
  activate_venv: z.boolean().optional(),
  /** Kills the command after this long (docs/spec.md D5). */
  timeout_seconds: z.number().positive().max(86_400).optional(),
  approval_timeout_ms: Millis.optional(),
  /** true asks for a person even where a rule would do; false and `allowlisted` change nothing (docs/spec.md D12). */
  approval_required: z.boolean().optional(),
  allowlisted: z.boolean().optional(),
  adapter: Adapter.optional(),
  visibility: Visibility.optional(),
  /** What of the output the response carries. */
  output: OutputOptions.optional(),
})
export type CommandRequest = z.infer<typeof CommandRequest>

export const ReadOutput = z.object({
  type: z.literal('read_output'),
  ...fromAsker,
  session_id: Id.optional(),
  terminal_id: Id.optional(),
  output: OutputOptions.optional(),
  /** Somebody only looks on: nothing counts as told to whoever asked for the run. */
  looks_on: z.boolean().optional(),
})
export const Kill = z.object({
  type: z.literal('kill'),
  ...fromAsker,
  session_id: Id.optional(),
  terminal_id: Id.optional(),
})
export const List = z.object({ type: z.literal('list'), ...fromAsker, workspace_id: WorkspaceId.optional() })
/** Withdraws the question of a `command_request`; what runs already lives on, and only the waiting for it ends. */
export const Cancel = z.object({ type: z.literal('cancel'), ...fromAsker })
export const AllowlistUpdate = z.object({
  type: z.literal('allowlist_update'),
  ...fromAsker,
  workspace_id: WorkspaceId,
  layer: z.enum(['base', 'headless']).default('base'),
  operation: z.enum(['add', 'remove', 'set']),
  patterns: z.array(Text).max(256),
  bind: z.object({ directory: Path, trusted: z.boolean(), tries: z.boolean().optional() }).optional(), // alone, and only from this machine
  context: Context.optional(),
  approval_timeout_ms: Millis.optional(),
})
/** Asks the person to admit a client by name. Only their own programs may ask; the key never travels. */
export const PairingRequest = z.object({
  type: z.literal('pairing_request'),
  ...addressed,
  name: Text,
  approval_timeout_ms: Millis.optional(),
})
export const Heartbeat = z.object({ type: z.literal('heartbeat') })
/** The asker ends: its questions are withdrawn now. From the host: it ends, and why. */
export const Goodbye = z.object({ type: z.literal('goodbye'), reason: z.string().optional() })

export const ToHost = lenient(
  z.discriminatedUnion('type', [
    Hello,
    CommandRequest,
    InputRequest,
    ReadOutput,
    ReadReceipt,
    Kill,
    List,
    Cancel,
    AllowlistUpdate,
    PairingRequest,
    SetupRequest,
    ...ABOUT_PERMITS,
    ShowWindow,
    ...ASKER_NEWS,
    StatusRequest,
    Heartbeat,
    Goodbye,
  ]),
)
export type ToHost = z.output<typeof ToHost>

// ── from the host ────────────────────────────────────────────────────────────────────────────────

export const HelloAck = z.object({
  type: z.literal('hello_ack'),
  protocol_version: z.int(),
  capabilities: z.array(z.string()),
  trace_id: Id,
  runtime_session_id: Id,
  /** A new one at every start of the host. */
  instance_id: Id,
  /** Who the host takes you for: comes from your key. */
  identity: z.string(),
  heartbeat_interval_ms: z.int(),
  host: z.object({
    version: z.string(),
    pid: z.int(),
    /** It runs in a container that a person has declared to be their machine (docs/spec.md D25). */
    in_container: z.boolean().optional(),
    /** Where the window is served on the machine of the person; missing: this host has none. */
    window_port: z.int().optional(),
  }),
  approvers: z.int(),
  /** The hash of what a person has decided, as the host knows it: a copy of it on disk counts only if it has this one (ADR 44). */
  decided: z.string().optional(),
})

/** The frame arrived and is being worked on; for a command, its run exists. */
export const Accepted = z.object({
  type: z.literal('accepted'),
  ...addressed,
  session_id: Id.nullable(),
  terminal_id: Id.nullable(),
})

export const Progress = z.object({
  type: z.literal('progress'),
  ...addressed,
  phase: z.enum(['queued', 'waiting_for_approver', 'awaiting_approval', 'running']),
  elapsed_ms: z.int(),
  /** Questions, or runs in the same terminal, that come first. */
  ahead: z.int(),
  /** The run this one waits behind in its terminal. */
  behind: Id.optional(),
  output_bytes: z.int().optional(),
  /** The program waits for input, and nobody was told of it yet. */
  wait_state: z.enum(WAIT_STATES).optional(),
  /** "waiting for approval, 12 s, 1 ahead" */
  message: z.string(),
})

/** What the host says of a run: all of the tools' result, but what the server adds and what a terminal, with its one stream, has not. */
export const ReportedResult = Result.omit({
  ...{ stdout: true, stderr: true, order: true },
  ...{ host: true, lifecycle: true, others: true, rerun: true },
  ...{ items: true, omitted_items: true, terminals: true, approvers: true },
  ...{ patterns: true, workspace: true, broken_files: true },
})
export type ReportedResult = z.infer<typeof ReportedResult>

/** The status of a run, in the words of the tools' own result; `output` is its text. */
export const RunReport = z.object({
  session_id: Id,
  terminal_id: Id.nullable(),
  client_request_id: Id.nullable(),
  status: z.enum(['accepted', 'approved', 'declined', 'timeout', 'error']),
  approved: z.boolean(),
  /** Why it did not run, in a person's or the gate's words. */
  reason: z.string().nullable(),
  command: z.string(),
  args: z.array(z.string()).nullable(),
  workspace_id: z.string().nullable(),
  output: z.string(),
  error: ErrorBody.nullable(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  ...ReportedResult.shape,
  state: z.enum(RUN_STATES),
  adapter: Adapter,
  visibility: Visibility,
})
export type RunReport = z.infer<typeof RunReport>

/** Once for each command_request: when the run is over, or refused. */
export const CommandResponse = z.object({ type: z.literal('command_response'), ...addressed, ...RunReport.shape })
export const Output = z.object({ type: z.literal('output'), ...addressed, ...RunReport.shape })
export const Killed = z.object({ type: z.literal('killed'), ...addressed, ...RunReport.shape })
export const Listed = z.object({
  type: z.literal('listed'),
  ...addressed,
  items: z.array(ListItem),
  omitted_items: z.int(),
  terminals: z.array(TerminalItem),
  approvers: z.int(),
  human: Human.optional(),
})
export const AllowlistUpdated = z.object({
  type: z.literal('allowlist_updated'),
  ...addressed,
  ...answered,
  patterns: z.array(z.string()),
})
export const PairingAnswered = z.object({
  type: z.literal('pairing_answered'),
  ...addressed,
  ...answered,
})
/** What could not be done. Without request_id it is about the connection, which then ends. */
export const ErrorFrame = z.object({
  type: z.literal('error'),
  id: Id.optional(),
  request_id: Id.optional(),
  trace_id: Id.optional(),
  error: ErrorBody,
})

export const FromHost = lenient(
  z.discriminatedUnion('type', [
    HelloAck,
    Accepted,
    Progress,
    CommandResponse,
    Output,
    ReceiptRead,
    Killed,
    Listed,
    AllowlistUpdated,
    PairingAnswered,
    SetupAnswered,
    ...PERMIT_ANSWERS,
    WindowShown,
    StatusAnswered,
    Heartbeat,
    ErrorFrame,
  ]),
)
export type FromHost = z.output<typeof FromHost>
