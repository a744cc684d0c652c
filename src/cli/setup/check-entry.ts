import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Clock } from '../../base/clock.ts'
import type { ConfigEdit } from './config-edit.ts'
import { jsonAt } from './json-edit.ts'
import { tomlTable } from './toml-edit.ts'

/** How a client starts our server, by what is in its own file. */
export interface EntryStart {
  readonly command: string
  readonly args: readonly string[]
}
export type EntryChecked =
  | { readonly tools: readonly string[]; readonly version: string; readonly ms: number }
  | { readonly problem: string }

const WITHIN_MS = 20_000
const MOST_WORDS = 2000
/** What clients leave of an environment, as a rule: everything else of ours is not there when they start it. */
const LEFT = [
  'HOME',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'USER',
  'APPDATA',
  'USERPROFILE',
  'SYSTEMROOT',
  'PM_TERM_HOME',
]

/** The entry that is in the file; null: the edit is none, or the file has none. */
export function entryIn(text: string, edit: ConfigEdit): EntryStart | null {
  if (edit.kind === 'toml-table') {
    const lines = tomlTable(text, edit.name) ?? []
    const lineOf = (key: string) => lines.find(line => line.startsWith(`${key} = `))?.slice(key.length + 3)
    const [command, args] = [lineOf('command'), lineOf('args')]
    return command === undefined ? null : { command: JSON.parse(command), args: JSON.parse(args ?? '[]') }
  }
  if (edit.kind !== 'json-set') return null
  const value = (jsonAt(text, edit.path) ?? {}) as Readonly<Record<string, unknown>>
  // Cline has it one deeper.
  const { command, args } = (value.transport ?? value) as { command?: unknown; args?: unknown }
  const words = (Array.isArray(command) ? command : [command, ...(Array.isArray(args) ? args : [])]) as unknown[]
  const [program, ...rest] = words.filter(word => typeof word === 'string')
  return program === undefined ? null : { command: program, args: rest }
}

/** Starts it as the client would, asks for its tools, and ends it again. */
export function checkEntry(
  { command, args }: EntryStart,
  {
    env,
    cwd,
    clock,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string; readonly clock: Clock },
): Promise<EntryChecked> {
  const kept = Object.fromEntries(LEFT.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
  const began = clock.elapsed()
  return new Promise(resolve => {
    const child = spawn(command, [...args], { cwd, env: kept, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
    let said = ''
    let version = ''
    const end = (found: EntryChecked) => {
      late.dispose()
      child.kill()
      resolve(found)
    }
    const lastWords = () => (said.trim() === '' ? '' : ` It said: ${said.trim().slice(-MOST_WORDS)}`)
    // Timers of ours do not keep the process alive; its child does.
    const late = clock.after(WITHIN_MS, () =>
      end({ problem: `it did not list its tools within ${WITHIN_MS / 1000} s.${lastWords()}` }),
    )

    child.once('error', cause => end({ problem: `it cannot be started: ${cause.message}` }))
    child.once('exit', code => end({ problem: `it ended with ${code} before it listed its tools.${lastWords()}` }))
    child.stderr.on('data', chunk => {
      said = `${said}${chunk}`.slice(-MOST_WORDS)
    })
    child.stdin.on('error', () => {}) // its end says so

    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    createInterface({ input: child.stdout }).on('line', line => {
      const answer = answerIn(line)
      if (answer === null) return end({ problem: `its stdout is not MCP: ${line.slice(0, 200)}` })
      if (answer.id === 1) {
        version = String(answer.result?.serverInfo?.version ?? '')
        send({ method: 'notifications/initialized' })
        send({ id: 2, method: 'tools/list', params: {} })
      } else if (answer.id === 2) {
        const tools = (answer.result?.tools ?? []).map(({ name }) => name)
        end({ tools, version, ms: Math.round(clock.elapsed() - began) })
      }
    })
    const clientInfo = { name: 'setup of interactive-terminal', version: '1' }
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  })
}

interface McpAnswer {
  readonly id?: number
  readonly result?: {
    readonly serverInfo?: { readonly version?: string }
    readonly tools?: readonly { readonly name: string }[]
  }
}

function answerIn(line: string): McpAnswer | null {
  try {
    return JSON.parse(line) as McpAnswer
  } catch {
    return null // said by the caller
  }
}
