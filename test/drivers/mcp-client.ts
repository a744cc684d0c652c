import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { AnyResponse } from '../../src/contract/tool/response.ts'
import { KnownProcess } from './known-process.ts'
import { Place, PRODUCT } from './place.ts'

/**
 * A real MCP client on the built product, in a place of its own. Every answer is checked twice against its schema: by the
 * client against the tool's `outputSchema`, and by us against the contract.
 */
export interface OpenOptions {
  /** legacy: the 2025 generation. auto: asks, and speaks 2026-07-28. */
  readonly mode?: 'legacy' | 'auto'
  readonly env?: Readonly<Record<string, string>>
  /** Default: the work directory of the place. */
  readonly cwd?: string
  /** Patterns to allowlist in the work directory. */
  readonly allow?: readonly string[]
  /** What the client says it is. Default: test 1. */
  readonly named?: ClientName
  /** What the client says its roots are; null: it offers none. Default over HTTP: the work directory. */
  readonly roots?: readonly string[] | null
  /** It can show its person an address, and says this to each. Default: it cannot. */
  readonly shows?: (asked: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>
  /** A place shared with other servers; then its maker removes it. */
  readonly place?: Place
}

export interface ClientName {
  readonly name: string
  readonly version: string
  readonly title?: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Given: the call carries a progress token. */
  readonly onProgress?: (progress: { progress: number; message?: string | undefined }) => void
}

export interface Called {
  readonly data: AnyResponse
  readonly text: string
  readonly isError: boolean
}

export interface Opened {
  readonly client: Client
  call(tool: string, args: unknown, options?: CallOptions): Promise<Called>
  /** memory_terminal */
  headless(args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Called>
  /** memory_terminal_interactive */
  interactive(args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Called>
  /** What the server logged so far. */
  log(): string
  readonly place: Place
  readonly home: string
  readonly work: string
  readonly pid: number
  close(): Promise<void>
}

const LARGEST_ANSWER_BYTES = 256 * 1024 * 1024
const CALL_TIMEOUT_MS = 30_000
const READY_WITHIN_MS = 30_000
// Long: on a busy machine an orderly end takes its time, and a forced one is another end.
const FORCED_AFTER_MS = 12_000

export async function openStdio(options: OpenOptions = {}): Promise<Opened> {
  const place = options.place ?? new Place()
  if (options.allow) place.allow(...options.allow)
  return openCommand({ command: process.execPath, args: [PRODUCT, 'mcp'], env: place.env(options.env) }, place, options)
}

/** A server that is started in any way at all: its stdin and stdout are what counts. */
export async function openCommand(
  start: { readonly command: string; readonly args: readonly string[]; readonly env: Record<string, string> },
  place: Place,
  options: OpenOptions = {},
): Promise<Opened> {
  const transport = new StdioClientTransport({
    ...start,
    args: [...start.args],
    cwd: options.cwd ?? place.work,
    stderr: 'pipe',
    maxBufferSize: LARGEST_ANSWER_BYTES,
  })
  let log = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8')
  })
  const client = newClient(options.mode, options.named, options.roots, options.shows)
  await client.connect(transport)
  await client.listTools()
  const pid = transport.pid ?? 0
  const server = new KnownProcess(pid)
  const end = async () => {
    await client.close()
    server.kill('SIGKILL')
    if (!options.place) place.remove()
  }
  return opened(client, place, { pid, log: () => log, end })
}

export interface OpenedHttp extends Opened {
  readonly url: string
  readonly token: string
  /** Another client on the same server. */
  connect(
    mode: 'legacy' | 'auto',
    named?: ClientName,
    roots?: OpenOptions['roots'],
  ): Promise<{ client: Client; call: Opened['call'] }>
}

export async function openHttp(options: OpenOptions = {}): Promise<OpenedHttp> {
  const place = options.place ?? new Place()
  if (options.allow) place.allow(...options.allow)
  // This server is a host as well: from then on only a person at its window adds a rule.
  place.shell('')
  const server = spawn(process.execPath, [PRODUCT, '--http-port', '0'], {
    cwd: options.cwd ?? place.work,
    env: place.env(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  server.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8')
  })
  const port = await announcedPort(server).catch(async cause => {
    await endOf(server)
    throw cause
  })
  const url = `http://127.0.0.1:${port}/mcp`
  const token = readFileSync(join(place.home, 'state', 'http-token'), 'utf8').trim()
  const clients: Client[] = []
  const { roots: usual = [place.work] } = options
  const connect = async (mode: OpenOptions['mode'], named?: ClientName, roots = usual) => {
    const client = newClient(mode, named, roots, options.shows)
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    await client.listTools()
    clients.push(client)
    return { client, call: caller(client) }
  }
  const first = await connect(options.mode, options.named)
  const pid = server.pid ?? 0
  const end = async () => {
    await Promise.allSettled(clients.map(client => client.close()))
    await endOf(server)
    if (!options.place) place.remove()
  }
  return { ...opened(first.client, place, { pid, log: () => log, end }), url, token, connect }
}

/** Asks a child to end, forces it when it does not, and waits for it. */
export async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), FORCED_AFTER_MS)
  await gone
  clearTimeout(force)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Looks until it is so, or says what never came. For what no event tells of: another process's end, a file. */
export async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const until = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`never: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

function newClient(
  mode: OpenOptions['mode'] = 'legacy',
  named: ClientName = { name: 'test', version: '1' },
  roots: OpenOptions['roots'] = null,
  shows: OpenOptions['shows'] = undefined,
): Client {
  const capabilities = { ...(roots !== null && { roots: {} }), ...(shows && { elicitation: { url: {} } }) }
  const client = new Client(named, { versionNegotiation: { mode }, capabilities })
  if (roots !== null)
    client.setRequestHandler('roots/list', () => ({ roots: roots.map(path => ({ uri: pathToFileURL(path).href })) }))
  if (shows) client.setRequestHandler('elicitation/create', async ({ params }) => shows(params))
  return client
}

function opened(
  client: Client,
  place: Place,
  server: { pid: number; log: () => string; end: () => Promise<void> },
): Opened {
  const call = caller(client)
  return {
    client,
    call,
    headless: (args, options) => call('memory_terminal', args, options),
    interactive: (args, options) => call('memory_terminal_interactive', args, options),
    log: server.log,
    place,
    home: place.home,
    work: place.work,
    pid: server.pid,
    close: server.end,
  }
}

function caller(client: Client): Opened['call'] {
  return async (name, args, options = {}) => {
    const { signal, timeoutMs = CALL_TIMEOUT_MS, onProgress } = options
    const answer = await client.callTool(
      { name, arguments: args as Record<string, unknown> },
      { timeout: timeoutMs, ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
    )
    const data = AnyResponse.parse(answer.structuredContent)
    const text = answer.content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
    return { data, text, isError: answer.isError === true }
  }
}

function announcedPort(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let seen = ''
    const late = setTimeout(() => reject(new Error(`the server is not ready: ${seen}`)), READY_WITHIN_MS)
    const look = (chunk: Buffer) => {
      seen += chunk.toString('utf8')
      const port = /http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(seen)?.[1]
      if (port === undefined) return
      clearTimeout(late)
      resolve(Number(port))
    }
    server.stdout?.on('data', look)
    server.stderr?.on('data', look)
    server.once('exit', code => reject(new Error(`the server ended with ${code}: ${seen}`)))
  })
}
