import { canonicalise } from '../../contract/tool/canonicalise.ts'
import { groupOf, isPlainObject } from '../../contract/tool/coupling.ts'
import type { AnyResponse, NextCall } from '../../contract/tool/response.ts'
import type { ToolName } from '../answers/present.ts'
import { correctedCall } from './corrected-call.ts'

const INTERACTIVE = 'memory_terminal_interactive'
/** Longer than this a caller is better off with its own copy. */
const LONGEST_JSON = 4000

/**
 * The call that goes on from an answer, ready to be sent: reading what is missing, asking a person, or what was probably meant.
 * Null: there is none. `home`: the directory that a `~` stands for.
 */
export function nextCall(
  response: AnyResponse,
  tool: ToolName,
  payload: unknown,
  home: string | null = null,
): NextCall | null {
  const next = response.error ? afterError(response, tool, payload, home) : readOn(response, tool, payload)
  return next && JSON.stringify(next).length <= LONGEST_JSON ? next : null
}

function afterError(response: AnyResponse, tool: ToolName, payload: unknown, home: string | null): NextCall | null {
  switch (response.error?.code) {
    case 'PM_TERM_APPROVAL_REQUIRED':
      return askPerson(response, tool, payload)
    case 'PM_TERM_INVALID_PAYLOAD':
    case 'PM_TERM_INVALID_ACTION':
    case 'PM_TERM_INVALID_MODE':
      return correctedCall(tool, payload, home)
    case 'PM_TERM_NOT_FOUND':
      return withoutTarget(response, tool, payload)
    default:
      return null
  }
}

/** A command goes to the usual terminal; whoever wants to read or end something looks what there is. */
function withoutTarget({ action }: AnyResponse, tool: ToolName, payload: unknown): NextCall {
  const list = { tool, arguments: { action: 'list' } }
  if (action !== 'execute' || !isPlainObject(payload) || groupOf(payload, 'execution').input !== undefined) return list
  const { terminal_id: _, target, ...others } = payload
  return target === undefined && !('terminal_id' in payload) ? list : { tool, arguments: others }
}

function readOn({ status, identity, result }: AnyResponse, tool: ToolName, payload: unknown): NextCall | null {
  const { session_id } = identity
  if (session_id === null) return null
  const others = (result.others ?? []).filter(({ state }) => OPEN.has(state)).map(each => each.session_id)
  const target =
    others.length > 0 ? { session_ids: [...(status === 'accepted' ? [session_id] : []), ...others] } : { session_id }
  const output = missing({ status, result }, others.length > 0, payload)
  if (output === null) return null
  return tool === INTERACTIVE
    ? { tool, arguments: { action: 'read_output', target, output } }
    : { tool, arguments: { action: 'read_output', ...target, ...output } }
}

const OPEN: ReadonlySet<string> = new Set(['received', 'awaiting_approval', 'running'])
const UNTIL_EXIT = { until: 'exit', timeout_ms: 30_000 }

/** How to read what is not in the answer; null: all of it is. */
function missing(
  { status, result }: Pick<AnyResponse, 'status' | 'result'>,
  hasOthers: boolean,
  payload: unknown,
): Record<string, unknown> | null {
  if (hasOthers) return { wait: UNTIL_EXIT }
  const { cursor = 0, omitted_bytes, omitted_from, matches, base64 } = result
  if (omitted_bytes && omitted_from !== undefined && matches) return { cursor, search: searchIn(payload) }
  if (omitted_bytes && omitted_from !== undefined && base64 !== undefined) return { cursor, format: 'raw' }
  if (status === 'accepted') return { cursor, wait: UNTIL_EXIT }
  if (result.rerun?.only_changes) return { cursor: 0 }
  if (omitted_bytes && omitted_from !== undefined) return { cursor: omitted_from }
  // It has ended, and something that it left behind may still print.
  return result.drained === false ? { cursor } : null
}

function searchIn(payload: unknown): unknown {
  if (!isPlainObject(payload)) return undefined
  return groupOf(payload, 'output').search ?? payload.search
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
