import { COMMAND_LIMIT_BYTES, DAY_MS, isId } from '../field.ts'
import { isPlainObject } from './coupling.ts'
import { MOST_OUTPUT_BYTES } from './output-options.ts'
import { type CanonicalRequest, DEFAULT_TIMEOUT_MS, MODES } from './request.ts'

/**
 * The everyday requests, read by hand: every call of an agent goes through here. Each agrees with the schema (a property test says so),
 * and null means that the schema has to look: a rare field, a letter beyond ASCII, a mistake.
 */
type Checks = Readonly<Record<string, (value: unknown) => boolean>>

const ASCII = /^[\x01-\x7f]*$/
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && ASCII.test(value)
const isPath = (value: unknown): boolean => isText(value, 4096) && value !== ''
const isContext = (value: unknown): boolean => isText(value, 4096)
const isCommand = (value: unknown): boolean => isText(value, COMMAND_LIMIT_BYTES) && value.trim() !== ''
const isInt = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
const isMillis = (value: unknown): boolean => isInt(value, 0, DAY_MS)

/** So few and so short that no limit is near. */
const isArgs = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= 64 && value.every(each => isText(each, 512))

const IDS: Checks = { request_id: isId, trace_id: isId, client_request_id: isId }
const EXECUTION: Checks = { command: isCommand, args: isArgs, context: isContext }
const OUTPUT: Checks = {
  cursor: value => isInt(value, 0, Number.MAX_SAFE_INTEGER),
  wait: value => fits(value, { until: until => until === 'exit', timeout_ms: isMillis }),
  wait_for: value => value === 'exit' || value === 'output',
  wait_ms: isMillis,
  max_bytes: value => isInt(value, 256, MOST_OUTPUT_BYTES),
}
const RUN: Checks = {
  ...IDS,
  ...EXECUTION,
  cwd: isPath,
  timeout_ms: isMillis,
  max_bytes: OUTPUT.max_bytes as () => boolean,
}
const READ: Checks = { ...IDS, ...OUTPUT, session_id: isId }

/** What comes out fits the schema of memory_terminal, whose type knows this file and not the other way round. */
export function plainHeadless(payload: unknown): Record<string, unknown> | null {
  if (!isPlainObject(payload)) return null
  const { action, ...fields } = payload
  if (action === 'run') return fits(fields, RUN) && isShort(fields) ? { ...payload } : null
  if (action !== 'read_output' || fields.session_id === undefined) return null
  return fits(fields, READ) ? { ...payload } : null
}

const GROUPS: Readonly<Record<string, Checks>> = {
  invocation: { mode: value => MODES.some(mode => mode === value), intent: value => value === 'execute_command' },
  execution: EXECUTION,
  runtime: { cwd: isPath, timeout_ms: isMillis, approval_timeout_ms: isMillis },
  correlation: IDS,
  target: { session_id: isId, terminal_id: isId },
  output: OUTPUT,
}
const OF_EXECUTE = ['invocation', 'execution', 'runtime', 'correlation']
const OF_READ = ['target', 'output', 'correlation']

export function plainInteractive(payload: unknown): CanonicalRequest | null {
  if (!isPlainObject(payload)) return null
  const { action, ...groups } = payload
  const names = action === 'execute' ? OF_EXECUTE : action === 'read_output' ? OF_READ : []
  if (!Object.keys(groups).every(name => names.includes(name) && fits(groups[name], GROUPS[name] as Checks)))
    return null
  const { invocation, execution, runtime, target } = groups as Record<string, Record<string, unknown> | undefined>

  if (action === 'read_output')
    return (target?.session_id ?? target?.terminal_id) === undefined
      ? null
      : ({ ...payload } as unknown as CanonicalRequest)
  const isWhole = invocation?.mode !== undefined && invocation.intent !== undefined && isShort(execution)
  if (!isWhole) return null
  const timed = runtime && { runtime: { timeout_ms: DEFAULT_TIMEOUT_MS, ...runtime } }
  return { ...payload, ...timed } as unknown as CanonicalRequest
}

/** There is a command, and together with its arguments it is far from the limit that both share. */
const isShort = (execution: Readonly<Record<string, unknown>> | undefined): boolean =>
  typeof execution?.command === 'string' && (execution.args === undefined || execution.command.length <= 16_384)

const fits = (fields: unknown, checks: Checks): fields is Record<string, unknown> =>
  isPlainObject(fields) &&
  Object.keys(fields).every(name => Object.hasOwn(checks, name) && checks[name]?.(fields[name]) === true)
