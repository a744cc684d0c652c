import { canonicalise } from '../../contract/tool/canonicalise.ts'
import { isPlainObject } from '../../contract/tool/coupling.ts'
import type { AnyResponse, NextCall } from '../../contract/tool/response.ts'
import type { ToolName } from '../answers/present.ts'

const INTERACTIVE = 'memory_terminal_interactive'
/** Longer than this a caller is better off with its own copy. */
const LONGEST_JSON = 4000

/** The call that goes on from an answer, ready to be sent: reading what is missing, or asking a person. Null: there is none. */
export function nextCall(response: AnyResponse, tool: ToolName, payload: unknown): NextCall | null {
  const next = response.error ? askPerson(response, tool, payload) : readOn(response, tool)
  return next && JSON.stringify(next).length <= LONGEST_JSON ? next : null
}

function readOn({ status, identity, result }: AnyResponse, tool: ToolName): NextCall | null {
  const { session_id } = identity
  if (session_id === null) return null
  const output =
    status === 'accepted'
      ? { cursor: result.cursor ?? 0, wait_for: 'exit', wait_ms: 30_000 }
      : result.omitted_bytes && result.omitted_from !== undefined
        ? { cursor: result.omitted_from }
        : null
  if (output === null) return null
  return tool === INTERACTIVE
    ? { tool, arguments: { action: 'read_output', target: { session_id }, output } }
    : { tool, arguments: { action: 'read_output', session_id, ...output } }
}

/** What no rule covers headless, as the request that lets a person decide. It gets an id of its own: it is another request. */
function askPerson({ error, resolved }: AnyResponse, tool: ToolName, payload: unknown): NextCall | null {
  if (error?.code !== 'PM_TERM_APPROVAL_REQUIRED' || resolved.mode !== 'headless' || !isPlainObject(payload))
    return null
  const { execution, runtime } = tool === INTERACTIVE ? canonicalise(payload, 'accept') : grouped(payload)
  return {
    tool: INTERACTIVE,
    arguments: {
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      ...(execution && { execution }),
      ...(runtime && { runtime }),
    },
  }
}

function grouped({ command, args, env, context, timeout, ...flat }: Record<string, unknown>) {
  const { cwd, timeout_ms = timeout, kill_after_ms, workspace_id } = flat
  const runtime = present({ cwd, timeout_ms, kill_after_ms, workspace_id })
  return {
    execution: present({ command, args, env, context }),
    runtime: Object.keys(runtime).length > 0 ? runtime : undefined,
  }
}

const present = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
