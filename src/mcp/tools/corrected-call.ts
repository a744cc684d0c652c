import { isDeepStrictEqual } from 'node:util'
import { aliasOf } from '../../contract/tool/aliases.ts'
import { canonicalise } from '../../contract/tool/canonicalise.ts'
import { isPlainObject } from '../../contract/tool/coupling.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { parseHeadless } from '../../contract/tool/headless-request.ts'
import type { Issue } from '../../contract/tool/issues.ts'
import type { NextCall } from '../../contract/tool/response.ts'
import type { ToolName } from '../answers/present.ts'
import { type MeantAction, meantAction, meantFields, placeOf } from './meant-fields.ts'

/**
 * A request that was not taken, as its caller has probably meant it: models bring the fields and actions of other tools along.
 * It is only ever told; whoever wants it sends it, and it is judged like any other. Null: it is taken as it is, or it cannot be
 * known what was meant.
 */
export function correctedCall(tool: ToolName, payload: unknown, home: string | null): NextCall | null {
  const meant = meantFields(payload, home)
  const alias = tool === 'memory_terminal_interactive' ? aliasOf(meant?.action) : undefined
  if (meant && alias?.invocation) meant.mode ??= alias.invocation.mode
  const action = meant && meantAction(meant)
  if (!action) return null
  const wanted = toolFor(tool, action, meant)
  if (hasNoTarget(action, meant)) return { tool: wanted, arguments: { action: 'list' } }
  const built = wanted === 'memory_terminal' ? flat(action, meant) : grouped(action, meant)
  const call = withoutStrangers(wanted, built)
  if (call === null || (wanted === tool && isDeepStrictEqual(parsed(tool, payload), parsed(tool, call)))) return null
  return { tool: wanted, arguments: call }
}

const TARGETS = ['session_id', 'session_ids', 'terminal_id']

/** Whoever does not say which run has to look which there are. */
const hasNoTarget = (action: MeantAction, fields: Readonly<Record<string, unknown>>): boolean =>
  (action === 'read_output' || action === 'end') && !TARGETS.some(name => name in fields)

const INTERACTIVE_ONLY = ['terminal_id', 'input', 'intent', 'approval_timeout_ms']

function toolFor(tool: ToolName, action: MeantAction, fields: Readonly<Record<string, unknown>>): ToolName {
  if (action.endsWith('_allowlist')) return 'memory_terminal'
  if (fields.mode === 'interactive' || INTERACTIVE_ONLY.some(name => name in fields))
    return 'memory_terminal_interactive'
  return tool
}

const FLAT_ACTION = { start: 'run', end: 'kill' } as const
const GROUPED_ACTION = { start: 'execute', end: 'terminate' } as const

function flat(action: MeantAction, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { mode: _, ...others } = fields
  const adds = action === 'update_allowlist' && others.operation === undefined
  return { action: named(action, FLAT_ACTION), ...others, ...(adds && { operation: 'add' }) }
}

function grouped(action: MeantAction, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { mode = 'interactive', intent, ...others } = fields
  const call: Record<string, Record<string, unknown>> = {}
  if (action === 'start') {
    const runs = others.command !== undefined || others.input !== undefined
    call.invocation = { mode, intent: runs ? 'execute_command' : (intent ?? 'open_only') }
  }
  for (const [name, value] of Object.entries(others)) {
    const [group = '', field = name] = (placeOf(name) ?? '').split('.')
    if (group !== '') call[group] = { ...call[group], [field]: value }
  }
  return { action: named(action, GROUPED_ACTION), ...call }
}

const named = (action: MeantAction, names: Readonly<Record<string, string>>): string => names[action] ?? action

/** Without the fields that this action does not take; null where something else is wrong with it. */
function withoutStrangers(tool: ToolName, call: Record<string, unknown>): Record<string, unknown> | null {
  const first = parsed(tool, call)
  if (!(first instanceof TermError)) return call
  const { issues } = first.details
  if (!Array.isArray(issues)) return null
  const strangers = (issues as Issue[]).filter(({ problem }) => /^is not (?:allowed|a field)/.test(problem))
  if (strangers.length < issues.length) return null
  const left = structuredClone(call)
  for (const { field } of strangers) remove(left, field.split('.'))
  return parsed(tool, left) instanceof TermError ? null : left
}

function remove(from: Record<string, unknown>, [name = '', ...path]: readonly string[]): void {
  const inside = from[name]
  if (path.length === 0) delete from[name]
  else if (isPlainObject(inside)) {
    remove(inside, path)
    if (Object.keys(inside).length === 0) delete from[name]
  }
}

function parsed(tool: ToolName, payload: unknown): unknown {
  try {
    return tool === 'memory_terminal' ? parseHeadless(payload) : canonicalise(payload, 'accept')
  } catch (cause) {
    if (cause instanceof TermError) return cause
    throw cause
  }
}
