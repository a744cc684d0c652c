import * as z from 'zod'
import { CALLER_SURFACES } from '../caller-surfaces.ts'
import { WAIT_STATES } from '../wait-state.ts'
import { ALIAS_NAMES, CANONICAL_ACTIONS } from './aliases.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import { HEADLESS_ACTIONS } from './headless-request.ts'
import { MODES } from './request.ts'
import { ListedPattern, ListedRun, StateName, TerminalItem } from './run-lists.ts'
import { WAKES } from './wait.ts'

/** What both tools answer. Absent is absent: a field that does not apply is not sent. */

/** The steps that an interactive call has gone through, in the order in which they were reached. */
const LifecycleStep = z.enum([
  ...(['spawn', 'ready', 'request_sent'] as const),
  ...(['correlation_verified', 'user_decision', 'response_returned'] as const),
])
export type LifecycleStep = z.infer<typeof LifecycleStep>

const StreamName = z.enum(['stdout', 'stderr'])

const VerdictPart = z.object({
  text: z.string(),
  start: z.int(),
  end: z.int(),
  covered: z.boolean(),
  rule: z.string().nullable(),
  why: z.string(),
})

/** Models read this with every answer, so a plain approval is short: the one rule that covers the whole line. */
export const Verdict = z.object({
  verdict: z.enum(['auto', 'try', 'approval', 'blocked', 'destructive']),
  why: z.string(),
  rule: z.string().optional(),
  parts: z.array(VerdictPart).optional(),
  flags: z.array(z.string()).optional(),
  tier: z.enum(['grave', 'catastrophic']).optional().describe('How bad it could get; grave always needs approval.'),
})
export type Verdict = z.infer<typeof Verdict>

export const Carried = z.object({
  cwd: z.string().optional().describe('Where the next one runs, unless it says otherwise.'),
  env: z.array(z.string()).optional().describe('Variables it set or unset, by name.'),
  left_out: z.array(z.string()).optional().describe('Variables it changed that are never given on.'),
  nothing: z.string().optional().describe('Why nothing is given on.'),
})
export type Carried = z.infer<typeof Carried>

/** What a command was tried in, and what it reached for beyond that. */
export const Sandbox = z.object({
  mode: z.literal('read_only').describe('The folder cannot be written, nothing outside it is there.'),
  network: z.literal('none'),
  changes: z.literal(0).describe('Nothing was changed.'),
  wanted: z
    .object({ what: z.string(), line: z.string() })
    .optional()
    .describe('Why it failed there. It was not run for real; then a person was asked.'),
})
export type Sandbox = z.infer<typeof Sandbox>

const FoundLine = z.object({
  offset: z.int(),
  stream: StreamName,
  line: z.string(),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
})

const Woke = z.object({ line: z.string().optional(), offset: z.int().optional(), note: z.string().optional() })

const OtherRun = z.object({
  session_id: z.string(),
  state: StateName,
  exit_code: z.int().optional(),
  output_bytes: z.int().optional(),
})
export type OtherRun = z.infer<typeof OtherRun>

const Screen = z.object({
  text: z.string(),
  cols: z.int(),
  rows: z.int(),
  cursor_row: z.int(),
  cursor_column: z.int(),
})

/** Whether somebody is there to answer a question, and how long ago a person last pressed something. */
export const Human = z.object({ present: z.boolean(), last_input_s: z.int().optional() })
export type Human = z.infer<typeof Human>

/** The same command was run before: lines that came and went since. `only_changes`: the output here is just those. */
const Rerun = z.object({
  of: z.string(),
  added: z.int(),
  removed: z.int(),
  exit_code_before: z.int().nullable().optional().describe('Where it is another one now.'),
  only_changes: z.boolean().optional(),
})

export const Result = z.object({
  authorization: z.enum(['allowed', 'allowed_with_warning', 'blocked']).optional(),
  approved_by: z.enum(['person', 'allowlist']).optional(),
  verdict: Verdict.optional().describe('Why the command may or may not run, part by part.'),
  warning: z.string().optional(),
  state: StateName.optional(),
  running: z.boolean().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  order: z
    .array(z.object({ stream: StreamName, chars: z.int() }))
    .optional()
    .describe('How stdout and stderr alternated: take so many characters of each in turn.'),
  exit_code: z.int().nullable().optional().describe('null while running or ended by a signal; -1 when killed.'),
  exit_meaning: z.string().optional().describe('What the exit code says, where that is certain.'),
  pipestatus: z
    .array(z.int())
    .optional()
    .describe('Exit codes of the parts of the last pipeline, where the exit code hides that one failed.'),
  signal: z.string().nullable().optional().describe('What ended it, if a signal did.'),
  ended_by: z
    .string()
    .optional()
    .describe('kill, cancelled, person, kill_after_ms or server_end, when it did not end by itself.'),
  drained: z.boolean().optional().describe('false: a background process still holds the output open.'),
  cursor: z.int().optional().describe('Pass it to read_output to get only what is new.'),
  output_bytes: z.int().optional().describe('All output so far, in bytes, when not all of it is here.'),
  omitted_bytes: z.int().optional().describe('Output of this range that is not in this answer.'),
  omitted_from: z.int().optional().describe('Where the first omitted byte is: a cursor to read it from.'),
  redacted: z.int().optional().describe('So many secrets were taken out; the person sees them.'),
  lost_bytes: z.int().optional().describe('Output dropped for the quota or a full disk: it cannot be read any more.'),
  wait_state: z.enum(WAIT_STATES).optional().describe('What it waits for; a secret only the person types.'),
  wait_evidence: z.string().optional(),
  input: z
    .object({
      request_id: z.string(),
      /** awaiting_approval, typed or not_typed. */
      state: z.string(),
      reason: z.string().optional(),
    })
    .optional(),
  waited: z.enum([...WAKES, 'output', 'text', 'silence', 'input', 'deadline']).optional(),
  woke: Woke.optional(),
  others: z.array(OtherRun).optional().describe('The other runs that were waited for.'),
  matches: z.array(FoundLine).optional(),
  base64: z.string().optional().describe('format raw: the bytes from the cursor on.'),
  screen: Screen.optional().describe('format screen.'),
  human: Human.optional(),
  rerun: Rerun.optional().describe('rerun_of: how the output differs from the earlier one.'),
  execution_time_ms: z.int().optional(),
  command_executed: z.string().optional(),
  cwd: z.string().optional(),
  carried: Carried.optional().describe('What the command leaves to the next one in its terminal.'),
  sandbox: Sandbox.optional(),
  plan_hash: z.string().optional(),
  adapter: z.string().optional(),
  visibility: z.enum(['visible', 'background', 'hidden']).optional(),
  host: z
    .string()
    .optional()
    .describe('"host in a container": a person has declared this container to be their machine.'),
  survivors: z.array(z.int()).optional().describe('Processes of the run that are still there.'),
  lifecycle: z.array(LifecycleStep).optional(),
  items: z.array(ListedRun).optional().describe('list: what is not over yet, then the newest.'),
  omitted_items: z.int().optional().describe('Older runs that are not listed.'),
  terminals: z.array(TerminalItem).optional().describe('list: the terminals of the host.'),
  approvers: z.int().optional().describe('list: how many windows and terminals could answer a question now.'),
  patterns: z
    .array(ListedPattern)
    .optional()
    .describe('get_allowlist: each pattern, where it comes from, and whether it applies now.'),
  workspace: z
    .object({ workspace_id: z.string().nullable(), directory: z.string().nullable(), trusted: z.boolean() })
    .optional(),
  broken_files: z.array(z.object({ file: z.string(), problem: z.string() })).optional(),
})
export type Result = z.infer<typeof Result>

export const ErrorBody = z.object({
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  category: z.string(),
  message: z.string(),
  retriable: z.boolean(),
  details: z.record(z.string(), z.unknown()),
})

export const Fallback = z.object({
  strategy: z.string(),
  next_action: z.enum(['execute', 'read_output', 'list', 'none']),
  recommended_mode: z.enum(['interactive', 'headless']).nullable(),
  user_message: z.string(),
  can_auto_retry: z.literal(false),
})

/** A call that can be sent as it is: how to read on, or how to ask a person. */
export const NextCall = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })
export type NextCall = z.infer<typeof NextCall>

const responseFor = <Actions extends readonly [string, ...string[]]>(actions: Actions) =>
  z.object({
    success: z.boolean(),
    action: z.enum(actions).nullable(),
    status: z.enum(['accepted', 'completed', 'failed']),
    result: Result,
    error: ErrorBody.nullable(),
    fallback: Fallback.optional(),
    next: NextCall.optional(),
    identity: z.object({ session_id: z.string().nullable(), terminal_id: z.string().nullable() }),
    correlation: z.object({
      request_id: z.string().optional().describe('Absent: it is the session_id.'),
      trace_id: z.string(),
      client_request_id: z.string().optional(),
    }),
    resolved: z.object({
      canonical_action: z.enum([...CANONICAL_ACTIONS, 'get_allowlist', 'update_allowlist']).nullable(),
      alias_applied: z.boolean(),
      legacy_action: z.enum(ALIAS_NAMES).nullable(),
      mode: z.enum(MODES).nullable(),
    }),
    compat: z
      .object({
        alias_applied: z.boolean(),
        warning: z.string().optional(),
        caller_surface: z.enum(CALLER_SURFACES).optional(),
      })
      .optional(),
  })

const ALL_ACTIONS = /* @__PURE__ */ [...new Set([...CANONICAL_ACTIONS, ...HEADLESS_ACTIONS])] as never as [
  (typeof CANONICAL_ACTIONS)[number] | (typeof HEADLESS_ACTIONS)[number],
]

// A server lists them as JSON that the build made, and never checks its own answers: marked, so that they are not in its memory.
export const InteractiveResponse = /* @__PURE__ */ responseFor(CANONICAL_ACTIONS)
export const HeadlessResponse = /* @__PURE__ */ responseFor(HEADLESS_ACTIONS)
export const AnyResponse = /* @__PURE__ */ responseFor(ALL_ACTIONS)
export type AnyResponse = z.infer<typeof AnyResponse>
