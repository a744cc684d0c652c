import { PLACES } from '../../contract/tool/canonicalise.ts'
import { isPlainObject } from '../../contract/tool/coupling.ts'
import { type FieldPlaces, isBackground, meantPlace } from '../../contract/tool/did-you-mean.ts'
import { HeadlessRequest } from '../../contract/tool/headless-request.ts'
import { WAKES } from '../../contract/tool/wait.ts'

/** The fields of a request by their right names, whatever they were called and wherever they stood. */
export type MeantFields = Record<string, unknown>

/** Either tool's words for it. */
export type MeantAction = 'start' | 'end' | 'read_output' | 'list' | 'get_allowlist' | 'update_allowlist'

/** Both tools' fields; where a field is in a group of one of them, that is its place. */
const ALL_PLACES: FieldPlaces = new Map([
  ...Object.keys(HeadlessRequest.shape)
    .filter(name => name !== 'action' && name !== 'timeout')
    .map(name => [name, name] as const),
  ...PLACES,
])

export const placeOf = (name: string): string | undefined => ALL_PLACES.get(name)

const WRAPPERS: ReadonlySet<string> = new Set([
  'arguments',
  'args',
  'input',
  'params',
  'parameters',
  'payload',
  'request',
])
const GROUPS: ReadonlySet<string> = new Set([
  ...['invocation', 'execution', 'runtime', 'target', 'output', 'correlation', 'compat'],
  ...['options', 'settings'],
])

/** Null: nothing can be made of it. */
export function meantFields(payload: unknown, home: string | null): MeantFields | null {
  const sent = unwrapped(objectIn(payload))
  if (sent === null) return null
  const fields: MeantFields = {}
  gather(fields, sent)
  splitCommand(fields)
  const { cwd } = fields
  if (home !== null && typeof cwd === 'string' && /^~(?=\/|$)/.test(cwd)) fields.cwd = cwd.replace('~', home)
  return fields
}

function unwrapped(sent: Record<string, unknown> | null): Record<string, unknown> | null {
  if (sent === null || sent.action !== undefined) return sent
  for (const [name, value] of Object.entries(sent)) {
    const inner = WRAPPERS.has(name) ? objectIn(value) : null
    if (inner && (inner.action !== undefined || inner.command !== undefined)) return inner
  }
  return sent
}

/** An object, also where a model has sent it as text. */
function objectIn(value: unknown): Record<string, unknown> | null {
  if (isPlainObject(value)) return value
  const read = typeof value === 'string' && value.trim().startsWith('{') ? fromJson(value) : null
  return isPlainObject(read) ? read : null
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // a text that only looks like it
  }
}

function gather(fields: MeantFields, sent: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(sent)) {
    const inner = GROUPS.has(key) ? objectIn(value) : null
    if (inner) {
      gather(fields, inner)
      continue
    }
    if (isBackground(key)) {
      if (isTrue(value)) fields.timeout_ms ??= 0
      continue
    }
    const name = key === 'action' ? key : rightName(key)
    if (name !== null && value !== null && fields[name] === undefined) fields[name] = rightValue(name, key, value)
  }
}

const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** The last part of where it belongs: `execution.command` is `command` in the flat contract. */
function rightName(key: string): string | null {
  const snake = key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  if (snake === 'timeout') return 'timeout_ms'
  const place = ALL_PLACES.has(key) ? key : meantPlace(snake, ALL_PLACES)
  return place === undefined ? null : place.slice(place.lastIndexOf('.') + 1)
}

const MODES: Readonly<Record<string, string>> = {
  ...{ visible: 'interactive', terminal: 'interactive', gui: 'interactive', foreground: 'interactive' },
  ...{ background: 'headless', hidden: 'headless', silent: 'headless', batch: 'headless' },
}

function rightValue(name: string, key: string, value: unknown): unknown {
  if (name === 'args' && typeof value === 'string') return listIn(value)
  if (name === 'session_ids') return [value].flat()
  if (name === 'mode') return MODES[String(value)] ?? value
  if (name === 'env') return envIn(value)
  if (name === 'wait') return waitIn(value)
  if (name === 'input' && isPlainObject(value)) return [value]
  if (NUMBERS.test(name)) return numberIn(name, key, value)
  return value
}

const NUMBERS = /_ms$|^(?:cursor|max_bytes|context_lines)$/
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, sec: 1000, m: 60_000, min: 60_000 }

/** A whole number, also from a text, of seconds where the field said so. */
function numberIn(name: string, key: string, value: unknown): unknown {
  const [, digits, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|sec|m|min)?$/.exec(String(value)) ?? []
  if (digits === undefined) return value
  const factor = UNITS[unit] ?? (name.endsWith('_ms') && /sec/i.test(key) ? 1000 : 1)
  return Math.round(Number(digits) * factor)
}

function listIn(text: string): unknown {
  const read = text.trim().startsWith('[') ? fromJson(text) : null
  if (Array.isArray(read)) return read
  // What has quotes in it is better split by whoever wrote it.
  return /["'\\]/.test(text) ? text : text.split(/\s+/).filter(word => word !== '')
}

function envIn(value: unknown): unknown {
  const pairs = Array.isArray(value)
    ? value.map(each => String(each).split(/=(.*)/s).slice(0, 2))
    : Object.entries(objectIn(value) ?? {})
  if (pairs.some(([name, text]) => name === undefined || text === undefined || typeof text === 'object')) return value
  return Object.fromEntries(pairs.map(([name, text]) => [name, String(text)]))
}

function waitIn(value: unknown): unknown {
  const object = objectIn(value)
  if (object) return object
  if (WAKES.some(wake => wake === value)) return { until: value }
  if (isTrue(value)) return { until: 'exit' }
  // A bare number is one of seconds: nobody waits for 30 ms.
  return typeof value === 'number' ? { until: 'exit', timeout_ms: value < 1000 ? value * 1000 : value } : value
}

const SHELLS = /^(?:\/\S*\/)?(?:ba|z|da|k)?sh$/

/** A list of words is a program and its arguments; where that is a shell with a line, the line itself is meant. */
function splitCommand(fields: MeantFields): void {
  const { command, args } = fields
  if (Array.isArray(command) && command.every(word => typeof word === 'string')) {
    const [program = '', flag = '', line, ...more] = command as string[]
    if (SHELLS.test(program) && /^-l?i?c$/.test(flag) && line !== undefined && more.length === 0) fields.command = line
    else {
      fields.command = program
      fields.args = [...command.slice(1), ...(Array.isArray(args) ? args : [])]
      if (Array.isArray(fields.args) && fields.args.length === 0) delete fields.args
    }
  }
  // With arguments, a command is the program alone.
  if (typeof command === 'string' && Array.isArray(args) && /^[\w./-]+(?: [\w./=-]+)+$/.test(command)) {
    const [program, ...words] = command.split(' ')
    fields.command = program
    fields.args = [...words, ...args]
  }
}

const ACTIONS: readonly [words: RegExp, action: MeantAction][] = [
  [/^(?:run|exec|execute|start|launch|spawn|shell|bash|sh|create|open|send|type|write|input|command)(?:_|$)/, 'start'],
  [/^(?:kill|stop|end|terminate|cancel|abort|close|interrupt)(?:_|$)/, 'end'],
  [/^(?:read|get_output|output|poll|wait|tail|logs?|check|get_result|status)(?:_|$)/, 'read_output'],
  [/^(?:list|ls|ps|jobs|sessions|terminals|get_sessions|get_runs)(?:_|$)/, 'list'],
  [/^get_(?:allow|white)_?list$/, 'get_allowlist'],
  [/^(?:update|add|set|remove)_?(?:to_)?(?:allow|white)_?list$/, 'update_allowlist'],
]

/** What it is about, by its action or, without one, by its fields. */
export function meantAction(fields: MeantFields): MeantAction | null {
  const { action } = fields
  delete fields.action
  if (typeof action === 'string') {
    const word = action.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
    return [...ACTIONS].reverse().find(([words]) => words.test(word))?.[1] ?? null
  }
  if (fields.command !== undefined || fields.input !== undefined) return 'start'
  if (fields.patterns !== undefined) return 'update_allowlist'
  return [fields.session_id, fields.session_ids, fields.terminal_id].some(id => id !== undefined) ? 'read_output' : null
}
