import * as z from 'zod'
import { Args, COMMAND_LIMIT_BYTES, Command, Context, Env, Id, Millis, Path, Text, WorkspaceId } from '../field.ts'
import { aliasOf, isCanonicalAction } from './aliases.ts'
import { actionProblem, refuseEditorContract, wrongTool } from './canonicalise.ts'
import { isPlainObject, magicNames, tooLong } from './coupling.ts'
import { didYouMean, type FieldPlaces } from './did-you-mean.ts'
import { TermError } from './errors.ts'
import { type Issue, invalidPayload, issuesOf, UNKNOWN_FIELD } from './issues.ts'
import { outputFields, runOutputFields } from './output-options.ts'
import { plainHeadless } from './plain-request.ts'
import { DEFAULT_TIMEOUT_MS, SessionIds } from './request.ts'
import { waitIssues } from './wait.ts'

/** The request of memory_terminal: flat, strict, headless. */

export const HEADLESS_ACTIONS = ['run', 'read_output', 'kill', 'list', 'get_allowlist', 'update_allowlist'] as const
export type HeadlessAction = (typeof HEADLESS_ACTIONS)[number]

const commonFields = {
  action: z.enum(HEADLESS_ACTIONS),
  workspace_id: WorkspaceId.optional(),
  request_id: Id.optional().describe('The same id never runs twice.'),
  trace_id: Id.optional(),
  client_request_id: Id.optional(),
}
const runFields = {
  command: Command.optional(),
  args: Args.optional().describe('Literal; command is then the program.'),
  cwd: Path.optional(),
  env: Env.optional(),
  timeout_ms: Millis.optional().describe(`Default ${DEFAULT_TIMEOUT_MS}; then it lives on.`),
  timeout: Millis.optional(),
  kill_after_ms: Millis.min(1, 'must be at least 1').optional(),
  rerun_of: Id.optional().describe('Shows only changes.'),
  context: Context.optional(),
}
const sessionFields = { session_id: Id.optional() }
const sessionsFields = { session_ids: SessionIds.optional() }
const allowlistFields = {
  operation: z.enum(['add', 'remove', 'set']).optional(),
  patterns: z.array(Text).max(256).optional(),
}

/** All fields of all actions: what clients see, and what every request is after parsing. */
export const HeadlessRequest = z.strictObject({
  ...commonFields,
  ...runFields,
  ...sessionFields,
  ...sessionsFields,
  ...outputFields,
  ...allowlistFields,
})
export type HeadlessRequest = z.output<typeof HeadlessRequest>

/** The fields each action takes. */
const BY_ACTION: Readonly<Record<HeadlessAction, z.ZodType<HeadlessRequest>>> = {
  run: z.strictObject({ ...commonFields, ...runFields, ...runOutputFields }),
  read_output: z.strictObject({ ...commonFields, ...sessionFields, ...sessionsFields, ...outputFields }),
  kill: z.strictObject({ ...commonFields, ...sessionFields }),
  list: z.strictObject(commonFields),
  get_allowlist: z.strictObject({ ...commonFields, cwd: runFields.cwd }),
  update_allowlist: z.strictObject({ ...commonFields, ...allowlistFields }),
}

const NEEDED: Readonly<Record<HeadlessAction, readonly (keyof HeadlessRequest)[]>> = {
  run: ['command'],
  read_output: ['session_id'],
  kill: ['session_id'],
  list: [],
  get_allowlist: [],
  update_allowlist: ['operation', 'patterns'],
}

export const parseHeadless = (payload: unknown): HeadlessRequest =>
  (plainHeadless(payload) as HeadlessRequest | null) ?? headlessBySchema(payload)

export function headlessBySchema(payload: unknown): HeadlessRequest {
  if (!isPlainObject(payload)) throw invalidPayload([{ field: 'payload', problem: 'must be an object' }])
  refuseInteractiveContract(payload)
  const action = HEADLESS_ACTIONS.find(each => each === payload.action)
  if (action === undefined)
    throw new TermError(
      'PM_TERM_INVALID_ACTION',
      `${actionProblem('action', payload.action, payload)} Use ${HEADLESS_ACTIONS.join(', ')}.`,
      { details: { field: 'action', actions: HEADLESS_ACTIONS } },
    )
  const parsed = BY_ACTION[action].safeParse(payload)
  const issues = [...(parsed.error ? issuesOf(parsed.error) : []), ...coupling(action, payload)]
  if (issues.length > 0 || !parsed.success)
    throw invalidPayload(issues.map(issue => didYouMean(belongsElsewhere(issue, action), PLACES)))
  return parsed.data
}

function coupling(action: HeadlessAction, payload: Record<string, unknown>): Issue[] {
  const issues: Issue[] = NEEDED[action]
    .filter(field => payload[field] === undefined && !(field === 'session_id' && payload.session_ids !== undefined))
    .map(field => ({ field, problem: `is required for ${action}` }))
  if (tooLong(payload.command, payload.args))
    issues.push({ field: 'args', problem: `must be at most ${COMMAND_LIMIT_BYTES} bytes together with command` })
  issues.push(...magicNames('env', payload.env))
  return [...issues, ...waitIssues(payload, '')]
}

const PLACES: FieldPlaces = new Map(Object.keys(HeadlessRequest.shape).map(name => [name, name]))

/** A field of another action is not unknown, it is out of place. */
const belongsElsewhere = (issue: Issue, action: HeadlessAction): Issue =>
  issue.problem === UNKNOWN_FIELD && issue.field in HeadlessRequest.shape
    ? { ...issue, problem: `is not allowed for ${action}` }
    : issue

function refuseInteractiveContract(payload: Record<string, unknown>): void {
  refuseEditorContract(payload)
  const { action } = payload
  const grouped = ['invocation', 'execution', 'target', 'runtime', 'correlation', 'compat'].some(
    name => name in payload,
  )
  const foreign = !HEADLESS_ACTIONS.includes(action as HeadlessAction) && (isCanonicalAction(action) || aliasOf(action))
  if (grouped || foreign || 'terminal_id' in payload)
    throw wrongTool('memory_terminal_interactive', 'which runs what a person may see and decide')
}
