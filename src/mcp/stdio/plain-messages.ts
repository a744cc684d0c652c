import type { ClientInfo } from '../server/mcp-server.ts'

export type MessageId = string | number

/** What nearly every client of the 2025 generation says, and nothing else: the messages that need no MCP SDK. */
export type PlainMessage =
  | {
      readonly kind: 'initialize'
      readonly id: MessageId
      readonly protocolVersion: string
      readonly client: ClientInfo
      /** It can show its person an address: MCP's elicitation in URL mode. */
      readonly showsAddresses: boolean
    }
  | { readonly kind: 'list' | 'ping'; readonly id: MessageId }
  | {
      readonly kind: 'call'
      readonly id: MessageId
      readonly name: string
      readonly arguments: unknown
      readonly progressToken: MessageId | undefined
    }
  | { readonly kind: 'cancelled'; readonly requestId: MessageId; readonly reason: string | undefined }
  /** To a request of ours. What it says is not read. */
  | { readonly kind: 'reply'; readonly id: MessageId }
  /** A notification that nobody has to act on. */
  | { readonly kind: 'news' }

/** Versions of the 2025 generation. Any other is negotiated by the SDK. */
export const PLAIN_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

/** Keys of the later generation, and what is reserved for the protocol: they mean something to the SDK only. */
const RESERVED_META = 'io.modelcontextprotocol/'

type Fields = Readonly<Record<string, unknown>>

/**
 * The message of one line, or null: then it is for the SDK, which also knows what is wrong with it. Where in doubt it is null, never a
 * guess: what is taken here, the SDK would have taken in the same way.
 */
export function readPlain(line: string): PlainMessage | null {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return null // the SDK says what becomes of it
  }
  if (!isObject(message) || message.jsonrpc !== '2.0') return null
  if (hasOnly(message, ['jsonrpc', 'id', 'result', 'error']))
    return isId(message.id) ? { kind: 'reply', id: message.id } : null
  if (!hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return null
  const { id, method, params = {} } = message
  if (!isObject(params) || !isPlainMeta(params._meta)) return null
  if (id === undefined) return 'id' in message ? null : notification(method, params)
  return isId(id) ? request(id, method, params) : null
}

function request(id: MessageId, method: unknown, params: Fields): PlainMessage | null {
  switch (method) {
    case 'initialize':
      return initialize(id, params)
    case 'ping':
      return hasOnly(params, ['_meta']) ? { kind: 'ping', id } : null
    case 'tools/list':
      return hasOnly(params, ['_meta']) ? { kind: 'list', id } : null
    case 'tools/call':
      return call(id, params)
    default:
      return null
  }
}

function notification(method: unknown, params: Fields): PlainMessage | null {
  switch (method) {
    case 'notifications/initialized':
    case 'notifications/roots/list_changed':
      return { kind: 'news' }
    case 'notifications/cancelled': {
      const { requestId, reason } = params
      if (!isId(requestId) || !(reason === undefined || typeof reason === 'string')) return null
      return { kind: 'cancelled', requestId, reason }
    }
    default:
      return null
  }
}

function call(id: MessageId, params: Fields): PlainMessage | null {
  const { name, arguments: given = {}, _meta } = params
  if (!hasOnly(params, ['name', 'arguments', '_meta']) || typeof name !== 'string') return null
  // The SDK would leave this name out.
  if (!isObject(given) || Object.hasOwn(given, '__proto__')) return null
  const { progressToken } = (_meta ?? {}) as { progressToken?: MessageId }
  return { kind: 'call', id, name, arguments: given, progressToken }
}

function initialize(id: MessageId, params: Fields): PlainMessage | null {
  const { protocolVersion, capabilities, clientInfo } = params
  if (!hasOnly(params, ['protocolVersion', 'capabilities', 'clientInfo', '_meta'])) return null
  if (typeof protocolVersion !== 'string' || !PLAIN_VERSIONS.includes(protocolVersion)) return null
  if (!fits(capabilities, CAPABILITIES) || !fits(clientInfo, CLIENT_INFO)) return null
  const { name, version, title } = clientInfo as Fields
  if (typeof name !== 'string' || typeof version !== 'string') return null
  const client = { name, version, title: title as string | undefined }
  const { elicitation } = capabilities as { elicitation?: { url?: unknown } }
  return { kind: 'initialize', id, protocolVersion, client, showsAddresses: elicitation?.url !== undefined }
}

/** What is known of an object's fields; each may be missing, and further ones do not matter. `*`: every field. */
type MessageShape = 'string' | 'boolean' | 'never' | { readonly [field: string]: MessageShape }
const ANY = {}
const CAPABILITIES: MessageShape = {
  experimental: { '*': ANY },
  extensions: { '*': ANY },
  sampling: { context: ANY, tools: ANY },
  elicitation: { form: { applyDefaults: 'boolean' }, url: ANY },
  roots: { listChanged: 'boolean' },
  tasks: { list: ANY, cancel: ANY, requests: 'never' },
}
const CLIENT_INFO: MessageShape = {
  name: 'string',
  version: 'string',
  title: 'string',
  websiteUrl: 'string',
  description: 'string',
  icons: 'never',
}

function fits(value: unknown, shape: MessageShape): boolean {
  if (typeof shape === 'string') return typeof value === shape
  if (!isObject(value)) return false
  return Object.entries(value).every(([field, each]) => {
    if (field === '__proto__') return false
    const known = Object.hasOwn(shape, field) ? shape[field] : shape['*']
    return known === undefined || fits(each, known)
  })
}

function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true
  if (!isObject(meta)) return false
  const { progressToken } = meta
  if (progressToken !== undefined && !isId(progressToken)) return false
  return Object.keys(meta).every(key => !key.startsWith(RESERVED_META) && key !== '__proto__')
}

const isId = (value: unknown): value is MessageId => typeof value === 'string' || Number.isSafeInteger(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasOnly = (value: object, fields: readonly string[]): boolean =>
  Object.keys(value).every(key => fields.includes(key))
