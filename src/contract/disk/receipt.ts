import * as z from 'zod'
import { Id } from '../field.ts'
import { RUN_STATES } from '../tool/run-lists.ts'
import { EndedLine, RepositoryState } from './run-record.ts'

/**
 * What is certain about one run, made on demand from what was written down when it happened. Absent is absent: `not_known` says
 * why where somebody would look for it. `verify` checks each field against the records, and the seal against this machine's key.
 */
const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Mark = z.object({ seq: z.int(), hash: Hash })
const Time = z.string()

/** As much of the output as is kept: `sha256` is over those bytes, both streams in the order in which they came. */
export const KeptOutput = z.object({
  kept_bytes: z.int(),
  sha256: Hash.optional(),
  /** Byte ranges that are not in it: dropped for the quota or a full disk, or let go for their age. */
  missing: z.array(z.object({ from: z.int(), to: z.int() })).optional(),
})
export type KeptOutput = z.infer<typeof KeptOutput>

/**
 * The files that git lists as changed or untracked, and a hash over the commit, their names, states and contents. Nobody looks at them when
 * a command starts, so it says how they were when the receipt was read, not when the command ran.
 */
export const WorkTree = z.object({
  taken: z.literal('when_read'),
  taken_at: Time,
  head: z.string().optional(),
  files: z.int(),
  bytes: z.int(),
  sha256: Hash,
})
export type WorkTree = z.infer<typeof WorkTree>

/** What the ledger and the journal can say about a run. */
export const RunStatements = z.object({
  session_id: Id,
  trace_id: z.string(),
  client_request_id: z.string().optional(),
  /** local: the person's own programs · the name of a container that was paired */
  requester: z.string(),
  /** How the client calls itself: its own word. */
  client: z.string().optional(),
  lane: z.enum(['headless', 'interactive']),
  adapter: z.string(),
  terminal_id: Id.optional(),
  /** The version that ran it. */
  version: z.string().optional(),

  command: z.string(),
  args: z.array(z.string()).optional(),
  /** The line that a person had run instead. */
  command_executed: z.string().optional(),
  executable: z.string().optional(),
  cwd: z.string(),
  workspace_id: z.string().optional(),
  /** Variables that the request set, by name. */
  env_names: z.array(z.string()),
  /** The hash of what was judged, shown and started. */
  plan_hash: z.string().optional(),
  /** Where git stood when it started; null: no repository is around the directory. */
  repository: RepositoryState.nullable().optional(),

  verdict: z.string().optional(),
  rule: z.string().optional(),
  approved_by: z.enum(['person', 'allowlist']).optional(),
  /** Who answered, and where: window or terminal. */
  answered_by: z.string().optional(),
  answered_at: Time.optional(),
  answered_on: z.string().optional(),
  answer: z.enum(['approve', 'edit', 'decline']).optional(),
  answer_scope: z.string().optional(),

  state: z.enum(RUN_STATES),
  received_at: Time,
  started_at: Time.optional(),
  ended_at: Time.optional(),
  took_ms: z.number().optional(),
  exit_code: z.int().optional(),
  signal: z.string().optional(),
  ended_by: EndedLine.shape.ended_by.unwrap().optional(),
  /** Why it did not run. */
  why: z.string().optional(),
  output_bytes: z.int().optional(),
  lost_bytes: z.int().optional(),
})
export type RunStatements = z.infer<typeof RunStatements>

export const Receipt = z.object({
  receipt: z.literal(1),
  ...RunStatements.shape,
  output: KeptOutput.optional(),
  work_tree: WorkTree.optional(),
  /** The lines that say so, by number and hash. */
  ledger: z.object({ name: z.string(), lines: z.array(Mark.extend({ type: z.string() })) }),
  journal: z.array(Mark.extend({ kind: z.string() })).optional(),
  not_known: z.record(z.string(), z.string()).optional(),
  made_at: Time,
  made_by: z.string(),
  /** Over everything above, with a key of this machine; null: there was none. */
  seal: z.object({ key: z.string(), mac: Hash }).nullable(),
})
export type Receipt = z.infer<typeof Receipt>
