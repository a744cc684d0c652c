import { COMMAND_LIMIT_BYTES, utf8Length } from '../field.ts'
import { aliasOf, type CanonicalAction } from './aliases.ts'
import type { Issue } from './issues.ts'
import { outputFields, runOutputFields } from './output-options.ts'
import { waitIssues } from './wait.ts'

/**
 * Which fields go together (docs/spec.md §1.6). Reads the payload as it came, so that a wrong type elsewhere
 * does not hide a missing field here: all problems are reported at once.
 */
export function couplingIssues(action: CanonicalAction, payload: Readonly<Record<string, unknown>>): Issue[] {
  const invocation = groupOf(payload, 'invocation')
  const execution = groupOf(payload, 'execution')
  const target = groupOf(payload, 'target')
  const runtime = groupOf(payload, 'runtime')
  const issues: Issue[] = []
  const complain = (field: string, problem: string) => issues.push({ field, problem })

  switch (action) {
    case 'execute': {
      if (invocation.mode === undefined)
        complain('invocation.mode', 'is required for execute: "interactive" or "headless"')
      if (invocation.intent === undefined)
        complain('invocation.intent', 'is required for execute: "execute_command" or "open_only"')
      if (invocation.intent === 'execute_command' && execution.command === undefined && execution.input === undefined)
        complain('execution.command', 'is required when invocation.intent is "execute_command"')
      if (execution.input !== undefined) issues.push(...inputIssues({ invocation, execution, target, runtime }))
      if (invocation.intent === 'open_only') {
        if (execution.command !== undefined)
          complain('execution.command', 'is not allowed when invocation.intent is "open_only"')
        if (execution.args !== undefined)
          complain('execution.args', 'is not allowed when invocation.intent is "open_only"')
        if (isPlainObject(execution.env) && Object.keys(execution.env).length > 0)
          complain('execution.env', NOT_FOR_A_SHELL)
        if (runtime.venv_path !== undefined) complain('runtime.venv_path', NOT_FOR_A_SHELL)
        if (runtime.activate_venv === true) complain('runtime.activate_venv', NOT_FOR_A_SHELL)
        if (invocation.mode === 'headless')
          complain('invocation.intent', '"open_only" is not allowed when invocation.mode is "headless"')
      }
      if (target.session_ids !== undefined) complain('target.session_ids', 'is not allowed for execute')
      if (invocation.mode === 'headless' && target.terminal_id !== undefined)
        complain('target.terminal_id', 'is not allowed on a new execute when invocation.mode is "headless"')
      if (tooLong(execution.command, execution.args))
        complain('execution.args', `must be at most ${COMMAND_LIMIT_BYTES} bytes together with execution.command`)
      break
    }
    case 'read_output':
    case 'terminate':
      if (target.session_ids !== undefined && action !== 'read_output')
        complain('target.session_ids', `is not allowed for ${action}: name one run`)
      else if (target.session_id === undefined && target.terminal_id === undefined && target.session_ids === undefined)
        complain('target', `with session_id or terminal_id is required for ${action}`)
      if (payload.execution !== undefined) complain('execution', `is not allowed for ${action}`)
      break
    case 'list':
      if (payload.execution !== undefined) complain('execution', 'is not allowed for list')
      if (payload.target !== undefined) complain('target', 'is not allowed for list')
      break
  }
  if (payload.output !== undefined && action !== 'read_output' && action !== 'execute')
    complain('output', `is not allowed for ${action}`)
  const output = groupOf(payload, 'output')
  if (action === 'execute')
    for (const field of Object.keys(output))
      if (field in outputFields && !(field in runOutputFields))
        complain(`output.${field}`, 'is not allowed for execute')
  issues.push(...waitIssues(output, 'output.'))

  issues.push(...magicNames('execution.env', execution.env))

  const legacy = groupOf(payload, 'compat').legacy_action
  if (typeof legacy === 'string' && aliasOf(legacy) && aliasOf(legacy)?.action !== action)
    complain('compat.legacy_action', `"${legacy}" means ${aliasOf(legacy)?.action}, not ${action}`)
  return issues
}

type Groups = Readonly<Record<'invocation' | 'execution' | 'target' | 'runtime', Readonly<Record<string, unknown>>>>

/** What is typed goes to a program that runs already: nothing is started for it, and only a terminal has a keyboard. */
function inputIssues({ invocation, execution, target, runtime }: Groups): Issue[] {
  const alone = 'is not allowed with execution.input: it goes to a program that runs already'
  const more = [
    ...['command', 'args', 'env'].map(name => [`execution.${name}`, execution[name]] as const),
    ...['cwd', 'kill_after_ms', 'venv_path', 'activate_venv', 'terminal_profile'].map(
      name => [`runtime.${name}`, runtime[name]] as const,
    ),
  ]
  return [
    ...more.flatMap(([field, value]) => (value === undefined ? [] : [{ field, problem: alone }])),
    ...(target.session_id === undefined && target.terminal_id === undefined
      ? [{ field: 'target', problem: 'with the session_id of the running program is required with execution.input' }]
      : []),
    ...(invocation.mode === 'headless'
      ? [{ field: 'execution.input', problem: 'needs a terminal: a headless command has no keyboard' }]
      : []),
    ...(invocation.intent === 'open_only'
      ? [{ field: 'execution.input', problem: 'is not allowed when invocation.intent is "open_only"' }]
      : []),
  ]
}

/** It is the person's own shell, and their files decide what it is started with. */
export const NOT_FOR_A_SHELL =
  'is not allowed when a shell of the person is opened: it starts as they set it up. Send it with a command instead'

/** Together they become one argument list; both alone may be within the limit. */
export function tooLong(command: unknown, args: unknown): boolean {
  if (typeof command !== 'string' || !Array.isArray(args)) return false
  let bytes = utf8Length(command)
  if (bytes > COMMAND_LIMIT_BYTES) return false
  for (const arg of args) bytes += typeof arg === 'string' ? utf8Length(arg) : 0
  return bytes > COMMAND_LIMIT_BYTES
}

/** A parser would drop this name without a word, and something else would run than was asked for. */
export const magicNames = (field: string, env: unknown): Issue[] =>
  isPlainObject(env) && Object.hasOwn(env, '__proto__')
    ? [{ field: `${field}.__proto__`, problem: 'cannot be the name of a variable' }]
    : []

/** A group of the payload, or nothing at all where something else is in its place. */
export function groupOf(payload: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const group = payload[name]
  return isPlainObject(group) ? group : {}
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
