import * as z from 'zod'
import {
  ALIAS_NAMES,
  ALIASES,
  type Alias,
  type AliasPhase,
  aliasOf,
  CANONICAL_ACTIONS,
  isCanonicalAction,
} from './aliases.ts'
import { couplingIssues, groupOf, isPlainObject } from './coupling.ts'
import { didYouMean, type FieldPlaces } from './did-you-mean.ts'
import { TermError } from './errors.ts'
import { type Issue, invalidPayload, issuesOf } from './issues.ts'
import { plainInteractive } from './plain-request.ts'
import { type CanonicalRequest, FLAT_FIELDS, MODES, RequestShape } from './request.ts'

/**
 * Turns what a caller of memory_terminal_interactive sent into the canonical request, or says everything that is wrong:
 *
 *   alias → canonical action → flat fields into their groups → defaults of the alias → shape and coupling
 */
export const canonicalise = (payload: unknown, phase: AliasPhase): CanonicalRequest =>
  plainInteractive(payload) ?? canonicaliseBySchema(payload, phase)

export function canonicaliseBySchema(payload: unknown, phase: AliasPhase): CanonicalRequest {
  if (!isPlainObject(payload)) throw invalidPayload([{ field: 'payload', problem: 'must be an object' }])
  const alias = aliasOf(payload.action)
  const action = alias ? alias.action : payload.action
  refuseOtherContracts(payload)
  if (!isCanonicalAction(action)) throw unknownAction('action', action, payload)
  const legacy = groupOf(payload, 'compat').legacy_action
  if (typeof legacy === 'string' && !aliasOf(legacy)) throw unknownAction('compat.legacy_action', legacy)

  const grouped = intoGroups({ ...payload, action })
  if (alias?.invocation && (grouped.invocation === undefined || isPlainObject(grouped.invocation)))
    grouped.invocation = { ...alias.invocation, ...grouped.invocation }
  if (alias && phase === 'strict') throw rejectedAlias(alias.name, grouped)

  const parsed = RequestShape.safeParse(grouped)
  const issues = [...(parsed.error ? issuesOf(parsed.error) : []), ...couplingIssues(action, grouped)]
  if (alias?.needs && groupOf(grouped, 'target')[alias.needs] === undefined)
    issues.push({ field: `target.${alias.needs}`, problem: `is required for "${alias.name}"` })
  if (issues.length > 0 || !parsed.success)
    throw complaint(
      issues.map(issue => didYouMean(issue, PLACES)),
      grouped,
    )

  const { compat, ...request } = parsed.data
  return { ...request, action, ...(compat?.caller_surface && { callerSurface: compat.caller_surface }) }
}

/** Where each field of the groups lives. */
export const PLACES: FieldPlaces = new Map(
  Object.entries(RequestShape.shape).flatMap(([group, schema]) => {
    const shape = schema instanceof z.ZodOptional ? schema.unwrap() : schema
    return shape instanceof z.ZodObject ? Object.keys(shape.shape).map(name => [name, `${group}.${name}`] as const) : []
  }),
)

function intoGroups(payload: Record<string, unknown>): Record<string, unknown> {
  const grouped: Record<string, unknown> = { ...payload }
  for (const [flat, [group, field]] of Object.entries(FLAT_FIELDS)) {
    if (!Object.hasOwn(grouped, flat)) continue
    const value = grouped[flat]
    delete grouped[flat]
    // Something else than an object is where the group belongs: the shape check names it.
    if (grouped[group] !== undefined && !isPlainObject(grouped[group])) continue
    grouped[group] = { [field]: value, ...groupOf(grouped, group) }
  }
  return grouped
}

/** Each tool has its own contract; a payload of another one gets to know where it belongs. */
function refuseOtherContracts(payload: Record<string, unknown>): void {
  const { action } = payload
  if (action === 'get_allowlist' || action === 'update_allowlist' || 'patterns' in payload || 'operation' in payload)
    throw wrongTool('memory_terminal', 'which keeps the allowlist')
  refuseEditorContract(payload)
}

/** `name` belongs to the terminals of the editor only. */
export function refuseEditorContract({ action, ...payload }: Record<string, unknown>): void {
  if ('name' in payload && (action === 'create' || action === 'send' || action === 'close'))
    throw invalidPayload(
      [{ field: 'payload', problem: 'belongs to memory_terminal_vscode, which the VS Code extension has' }],
      'Call memory_terminal_vscode where it is offered; else leave name out.',
    )
}

export function wrongTool(tool: string, why: string): TermError {
  return invalidPayload([{ field: 'payload', problem: `belongs to ${tool}, ${why}` }], `Call ${tool} instead.`)
}

const migrationMap = (): Record<string, string> =>
  Object.fromEntries(ALIAS_NAMES.map(name => [name, ALIASES[name].hint]))

function unknownAction(field: string, action: unknown, payload: Record<string, unknown> = {}): TermError {
  const message = `${actionProblem(field, action, payload)} Use ${CANONICAL_ACTIONS.join(', ')}.`
  return new TermError('PM_TERM_INVALID_ACTION', message, {
    details: { field, canonical_actions: CANONICAL_ACTIONS, migration: migrationMap() },
  })
}

/** Missing is not unknown; and one level too deep is where some callers put everything. */
export function actionProblem(field: string, action: unknown, payload: Record<string, unknown>): string {
  if (typeof action === 'string') return `${field} "${action.slice(0, 64).replace(/[^\x20-\x7e]/g, '?')}" is unknown.`
  if (action !== undefined) return `${field} must be a string.`
  const wrapper = ['arguments', 'args', 'input', 'params', 'parameters', 'payload', 'request'].find(name => {
    const inner = payload[name]
    return isPlainObject(inner) && inner.action !== undefined
  })
  return wrapper === undefined
    ? `${field} is missing.`
    : `${field} is missing: send the fields inside "${wrapper}" themselves.`
}

function rejectedAlias(alias: Alias, replacement: Record<string, unknown>): TermError {
  return new TermError(
    'PM_TERM_INVALID_ACTION',
    `The action "${alias}" is no longer accepted. Use ${ALIASES[alias].hint}.`,
    {
      details: {
        field: 'action',
        canonical_actions: CANONICAL_ACTIONS,
        migration: migrationMap(),
        replacement: shortened(replacement),
      },
    },
  )
}

/** Shows the shape, not megabytes of the caller's own text. */
const shortened = (payload: Record<string, unknown>): unknown =>
  JSON.parse(
    JSON.stringify(payload, (_, value) => {
      if (typeof value === 'string' && value.length > 200) return `${value.slice(0, 200)}…`
      return Array.isArray(value) && value.length > 20 ? value.slice(0, 20) : value
    }),
  )

/** An unsupported mode has a code of its own, unless more than that is wrong. */
function complaint(issues: readonly Issue[], payload: Record<string, unknown>): TermError {
  const { mode } = groupOf(payload, 'invocation')
  const [only] = issues
  if (issues.length === 1 && only?.field === 'invocation.mode' && mode !== undefined)
    return new TermError('PM_TERM_INVALID_MODE', `invocation.mode must be one of ${MODES.join(', ')}.`, {
      details: { issues, supported_modes: MODES },
    })
  return invalidPayload(issues)
}
