import * as z from 'zod'
import { CALLER_SURFACES, type CallerSurface } from '../caller-surfaces.ts'
import { Args, Command, Context, Env, Id, Millis, Path, WorkspaceId } from '../field.ts'
import { PROFILES } from '../profiles.ts'
import { ALIAS_NAMES, CANONICAL_ACTIONS, type CanonicalAction } from './aliases.ts'
import { Input } from './input.ts'
import { OutputOptions } from './output-options.ts'

/** The canonical request of memory_terminal_interactive. Which fields go together is in coupling.ts. */

export const DEFAULT_TIMEOUT_MS = 30_000

const group = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape)

export const MODES = ['interactive', 'headless'] as const
export type Mode = (typeof MODES)[number]

export const Correlation = group({
  request_id: Id.optional().describe('The same id never runs twice.'),
  trace_id: Id.optional(),
  client_request_id: Id.optional(),
})

export const SessionIds = z
  .array(Id, 'must be an array of ids')
  .min(1, 'must not be empty')
  .max(16, 'must be at most 16')

const Target = group({
  session_id: Id.optional(),
  session_ids: SessionIds.optional(),
  terminal_id: Id.optional(),
})

const Runtime = group({
  workspace_id: WorkspaceId.optional(),
  cwd: Path.optional().describe('Default: where the terminal is.'),
  timeout_ms: Millis.default(DEFAULT_TIMEOUT_MS).describe('Then it lives on.'),
  approval_timeout_ms: Millis.optional(),
  kill_after_ms: Millis.min(1, 'must be at least 1').optional(),
  adapter_override: z.enum(['local', 'bundled', 'container_bridge', 'auto']).optional(),
  binary_path: Path.optional(),
  venv_path: Path.optional(),
  activate_venv: z.boolean('must be true or false').optional(),
  terminal_profile: z.enum(PROFILES).optional(),
})

const Execution = group({
  command: Command.optional().describe('A whole shell line.'),
  args: Args.optional().describe('Literal; command is then the program.'),
  env: Env.optional(),
  input: Input.optional().describe('Typed into target: text or [{text},{key}].'),
  rerun_of: Id.optional().describe('Shows only changes.'),
  context: Context.optional().describe('Why, for the person.'),
})

/** `action` and `mode` are checked by hand, because a wrong one has an error code of its own. */
export const RequestShape = group({
  action: z.enum([...CANONICAL_ACTIONS, ...ALIAS_NAMES]),
  invocation: group({
    mode: z.enum(MODES).optional().describe('headless: nobody is asked.'),
    intent: z.enum(['open_only', 'execute_command']).optional().describe("open_only: the person's own shell."),
  }).optional(),
  correlation: Correlation.optional(),
  runtime: Runtime.optional(),
  execution: Execution.optional(),
  target: Target.optional(),
  output: OutputOptions.optional(),
  compat: group({
    legacy_action: z.string('must be a string').optional(),
    caller_surface: z.enum(CALLER_SURFACES).optional(),
  }).optional(),
})

export type RequestShape = z.output<typeof RequestShape>
export type Runtime = z.output<typeof Runtime>
export type Target = z.output<typeof Target>
export type Correlation = z.output<typeof Correlation>

/** A request as it is after `canonicalise`. */
export interface CanonicalRequest extends Omit<RequestShape, 'action' | 'compat'> {
  readonly action: CanonicalAction
  /** From what kind of place the caller says it calls. */
  readonly callerSurface?: CallerSurface
}

/** Where each legacy flat field lives now. The grouped form wins, and of two flat names the first in this list. */
export const FLAT_FIELDS = {
  command: ['execution', 'command'],
  args: ['execution', 'args'],
  env: ['execution', 'env'],
  cwd: ['runtime', 'cwd'],
  timeout_ms: ['runtime', 'timeout_ms'],
  timeout: ['runtime', 'timeout_ms'],
  workspace_id: ['runtime', 'workspace_id'],
  session_id: ['target', 'session_id'],
  terminal_id: ['target', 'terminal_id'],
} as const
