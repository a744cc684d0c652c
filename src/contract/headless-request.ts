import * as z from 'zod'
import { aliasOf, isCanonicalAction } from './aliases.ts'
import { wrongTool } from './canonicalise.ts'
import { isPlainObject, tooLong } from './coupling.ts'
import { TermError } from './errors.ts'
import { Args, COMMAND_LIMIT_BYTES, Command, Context, Env, Id, Millis, Path, Text, WorkspaceId } from './field.ts'
import { type Issue, invalidPayload, issuesOf } from './issues.ts'
import { outputFields } from './output-options.ts'
import { DEFAULT_TIMEOUT_MS } from './request.ts'

/** The request of memory_terminal: flat, strict, headless. */

export const HEADLESS_ACTIONS = ['run', 'read_output', 'kill', 'list', 'get_allowlist', 'update_allowlist'] as const
export type HeadlessAction = (typeof HEADLESS_ACTIONS)[number]

export const HeadlessRequest = z.strictObject({
  action: z.enum(HEADLESS_ACTIONS),
  command: Command.optional().describe('run: one simple command, no shell operators, for example "git log -3".'),
  args: Args.optional().describe('run: literal arguments; with them, command is the program alone.'),
  cwd: Path.optional().describe('run: an existing directory. Default: where the server was started.'),
  env: Env.optional().describe(
    'run: extra variables; only harmless ones (CI, NO_COLOR, LANG …) pass without a person.',
  ),
  timeout_ms: Millis.optional().describe(
    `run: how long this call waits, default ${DEFAULT_TIMEOUT_MS}. The command lives on after it; 0 answers at once.`,
  ),
  timeout: Millis.optional().describe('Same as timeout_ms.'),
  kill_after_ms: Millis.min(1, 'must be at least 1').optional().describe('run: kill the command after this long.'),
  context: Context.optional(),
  workspace_id: WorkspaceId.optional(),
  session_id: Id.optional().describe('read_output, kill: the session_id that run returned.'),
  request_id: Id.optional().describe('run: yours to choose; the same id with the same payload never runs twice.'),
  trace_id: Id.optional(),
  client_request_id: Id.optional(),
  ...outputFields,
  operation: z.enum(['add', 'remove', 'set']).optional().describe('update_allowlist: what to do with patterns.'),
  patterns: z.array(Text).max(256).optional().describe('update_allowlist: for example ["npm run build", "git log *"].'),
})
export type HeadlessRequest = z.output<typeof HeadlessRequest>

const RUN_ONLY = ['command', 'args', 'env', 'cwd', 'timeout', 'timeout_ms', 'kill_after_ms', 'context'] as const
const ALLOWLIST_ONLY = ['operation', 'patterns'] as const

export function parseHeadless(payload: unknown): HeadlessRequest {
  if (!isPlainObject(payload)) throw invalidPayload([{ field: 'payload', problem: 'must be an object' }])
  refuseInteractiveContract(payload)
  const { action } = payload
  if (!HEADLESS_ACTIONS.includes(action as HeadlessAction))
    throw new TermError('PM_TERM_INVALID_ACTION', `This action is unknown. Use ${HEADLESS_ACTIONS.join(', ')}.`, {
      details: { field: 'action', actions: HEADLESS_ACTIONS },
    })
  const parsed = HeadlessRequest.safeParse(payload)
  const issues = [...(parsed.error ? issuesOf(parsed.error) : []), ...coupling(action as HeadlessAction, payload)]
  if (issues.length > 0 || !parsed.success) throw invalidPayload(issues)
  return parsed.data
}

function coupling(action: HeadlessAction, payload: Record<string, unknown>): Issue[] {
  const issues: Issue[] = []
  const need = (field: string) => {
    if (payload[field] === undefined) issues.push({ field, problem: `is required for ${action}` })
  }
  const forbid = (fields: readonly string[]) => {
    for (const field of fields)
      if (payload[field] !== undefined) issues.push({ field, problem: `is not allowed for ${action}` })
  }
  if (action !== 'run') forbid(RUN_ONLY)
  if (action !== 'update_allowlist') forbid(ALLOWLIST_ONLY)
  switch (action) {
    case 'run':
      need('command')
      forbid(['session_id'])
      if (tooLong(payload.command, payload.args))
        issues.push({ field: 'args', problem: `must be at most ${COMMAND_LIMIT_BYTES} bytes together with command` })
      break
    case 'read_output':
    case 'kill':
      need('session_id')
      break
    case 'update_allowlist':
      need('operation')
      need('patterns')
      break
    case 'list':
    case 'get_allowlist':
      forbid(['session_id'])
      break
  }
  if (payload.wait_for === 'text' && payload.text === undefined)
    issues.push({ field: 'text', problem: 'is required when wait_for is "text"' })
  return issues
}

function refuseInteractiveContract(payload: Record<string, unknown>): void {
  const { action } = payload
  const grouped = ['invocation', 'execution', 'target', 'runtime', 'correlation', 'compat'].some(
    name => name in payload,
  )
  const foreign = !HEADLESS_ACTIONS.includes(action as HeadlessAction) && (isCanonicalAction(action) || aliasOf(action))
  if (grouped || foreign || 'terminal_id' in payload)
    throw wrongTool('memory_terminal_interactive', 'which runs what a person may see and decide')
}
