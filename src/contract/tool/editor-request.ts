import * as z from 'zod'
import { Command, Context, Env, Id, Millis, Path, WorkspaceId } from '../field.ts'
import { aliasOf, isCanonicalAction } from './aliases.ts'
import { actionProblem, wrongTool } from './canonicalise.ts'
import { isPlainObject, magicNames } from './coupling.ts'
import { TermError } from './errors.ts'
import { HEADLESS_ACTIONS } from './headless-request.ts'
import { type Issue, invalidPayload, issuesOf } from './issues.ts'

/** The request of memory_terminal_vscode: terminals of the editor that the person works in. */

export const EDITOR_ACTIONS = ['create', 'send', 'close', 'list'] as const
export type EditorAction = (typeof EDITOR_ACTIONS)[number]

/** How long a call waits for what it typed, unless it says otherwise. */
export const EDITOR_WAIT_MS = 30_000

const TabName = z
  .string('must be a string')
  .refine(text => /^[\p{L}\p{N} ._-]{1,40}$/u.test(text), 'must be 1 to 40 letters, digits, spaces or any of . _ -')

const fields = {
  terminal_id: Id.optional().describe('From create or list.'),
  name: TabName.optional().describe('What the person sees on the tab.'),
  cwd: Path.optional().describe('Of a new terminal; absolute. Default: the open folder.'),
  env: Env.optional().describe('Of a new terminal; needs approval.'),
  command: Command.optional().describe('One shell line.'),
  workspace_id: WorkspaceId.optional(),
  context: Context.optional().describe('Why, for the person.'),
  timeout_ms: Millis.optional().describe('How long to wait for its end. Default 30000; then it lives on.'),
}

/** All fields of all actions: what models see, and what every request is after parsing. */
export const EditorRequest = z.strictObject({ action: z.enum(EDITOR_ACTIONS), ...fields })
export type EditorRequest = z.output<typeof EditorRequest>

type EditorField = keyof typeof fields
const TAKES: Readonly<
  Record<EditorAction, { readonly needs: readonly EditorField[]; readonly may: readonly EditorField[] }>
> = {
  create: { needs: [], may: ['name', 'cwd', 'env', 'command', 'workspace_id', 'context', 'timeout_ms'] },
  send: { needs: ['terminal_id', 'command'], may: ['workspace_id', 'context', 'timeout_ms'] },
  close: { needs: ['terminal_id'], may: ['workspace_id', 'context'] },
  list: { needs: [], may: ['workspace_id'] },
}

export function parseEditor(payload: unknown): EditorRequest {
  if (!isPlainObject(payload)) throw invalidPayload([{ field: 'payload', problem: 'must be an object' }])
  refuseServerContracts(payload)
  const action = EDITOR_ACTIONS.find(each => each === payload.action)
  if (action === undefined)
    throw new TermError(
      'PM_TERM_INVALID_ACTION',
      `${actionProblem('action', payload.action, payload)} Use ${EDITOR_ACTIONS.join(', ')}.`,
      { details: { field: 'action', actions: EDITOR_ACTIONS } },
    )

  const parsed = EditorRequest.safeParse(payload)
  const { needs, may } = TAKES[action]
  const issues: Issue[] = [
    ...(parsed.error ? issuesOf(parsed.error) : []),
    ...needs
      .filter(name => payload[name] === undefined)
      .map(name => ({ field: name, problem: `is required for ${action}` })),
    ...Object.keys(fields)
      .filter(name => payload[name] !== undefined && ![...needs, ...may].includes(name as EditorField))
      .map(name => ({ field: name, problem: `is not allowed for ${action}` })),
    ...magicNames('env', payload.env),
  ]
  if (issues.length > 0 || !parsed.success) throw invalidPayload(issues)
  return parsed.data
}

const GROUPS = ['invocation', 'execution', 'target', 'runtime', 'correlation', 'compat', 'output', 'session_id']
const HEADLESS_FIELDS = ['patterns', 'operation']

/** Each tool has its own contract; a payload of another one gets to know where it belongs. */
function refuseServerContracts(payload: Record<string, unknown>): void {
  const { action } = payload
  const isOurs = EDITOR_ACTIONS.some(each => each === action)
  const isHeadless = HEADLESS_ACTIONS.some(each => each === action)
  if (HEADLESS_FIELDS.some(name => name in payload) || action === 'get_allowlist' || action === 'update_allowlist')
    throw wrongTool('memory_terminal', 'which keeps the allowlist')
  if (
    GROUPS.some(name => name in payload) ||
    (!isOurs && !isHeadless && (isCanonicalAction(action) || aliasOf(action)))
  )
    throw wrongTool('memory_terminal_interactive', 'which runs what a person may see and decide')
  if (!isOurs && isHeadless)
    throw invalidPayload(
      [{ field: 'action', problem: `"${String(action)}" belongs to memory_terminal and memory_terminal_interactive` }],
      'Call memory_terminal for a command that a rule covers, else memory_terminal_interactive. Here "send" types a line into a terminal of the editor.',
    )
}
