import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { processTable } from '../../src/base/process/process-table.ts'
import type { Host } from '../../src/host/host.ts'
import { type FakeApprover, type FakeClient, LiveHost, setPassphrase } from './live-host.ts'
import { endOf, eventually } from './mcp-client.ts'
import { Place, PRODUCT } from './place.ts'

export interface Announced {
  readonly pid: number
  readonly start: string | null
  readonly port: number
  readonly approver_port: number
}

export interface Met {
  readonly live: LiveHost
  readonly client: FakeClient
  readonly approver: FakeApprover
}

/** Hosts in processes of their own on one place, one after another, as a person or an MCP server starts them. */
export class HostProcesses {
  readonly place: Place
  readonly #children: ChildProcess[] = []
  readonly #env: Readonly<Record<string, string>>

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.place = new Place()
    setPassphrase(this.place)
    // While a host runs nobody but a person at its window adds a rule: the one for `line` is there before.
    this.place.shell('')
    this.#env = env
  }

  /** What the hosts log, as long as they run. */
  logFile = (): string => join(this.place.root, 'host.log')

  told(what: 'host' | 'pty-host' = 'host'): Announced | null {
    const text = this.place.read(`home/state/${what}.json`)
    return text === '' ? null : (JSON.parse(text) as Announced)
  }

  async start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
    const child = spawn(process.execPath, [PRODUCT, 'host', ...args], {
      cwd: this.place.root,
      env: this.place.env({ ...this.#env, ...env }),
      stdio: ['ignore', 'ignore', openSync(this.logFile(), 'a')],
    })
    this.#children.push(child)
    await eventually('the host is ready', () => this.told()?.pid === child.pid, 15_000)
    return child
  }

  /** Dies without a word. */
  async kill(what: 'host' | 'pty-host'): Promise<void> {
    const { pid, start } = this.told(what) ?? {}
    // A file that a dead one has left says nothing about who has its pid now.
    if (pid === undefined || processTable(process.platform).row(pid)?.start !== start)
      throw new Error(`there is no ${what}`)
    process.kill(pid, 'SIGKILL')
    const child = this.#children.find(each => each.pid === pid)
    if (child) await eventually('it is gone', () => child.signalCode !== null)
  }

  /** It is told to end, and does so in order. */
  async end(): Promise<void> {
    const child = this.#children.at(-1)
    child?.kill('SIGTERM')
    await eventually('it ended in order', () => child?.exitCode !== null, 15_000)
  }

  /** The one started last dies, ready or not. */
  killNewest(): void {
    this.#children.at(-1)?.kill('SIGKILL')
  }

  /** The one that runs now. */
  live(): LiveHost {
    const at = this.told()
    if (!at) throw new Error('no host')
    return new LiveHost(this.place, { port: at.port, approverPort: at.approver_port } as Host)
  }

  /** A client alone: the person looks elsewhere. */
  async client(): Promise<FakeClient> {
    return this.live().client()
  }

  /** A client, and a person who could look. */
  async meet(how: { readonly seals?: boolean } = {}): Promise<Met> {
    const live = this.live()
    const client = await live.client()
    const approver = await live.approver(how)
    return { live, client, approver }
  }

  /** A line that a rule covers: it runs without a question. */
  line(client: FakeClient, line: string, more: Record<string, unknown> = {}): string {
    const { command, args } = this.place.shell(line)
    return client.command(command, { args, working_directory: this.place.work, workspace_id: 'test', ...more })
  }

  /** Runs the product and says how that went. */
  cli(args: readonly string[]): Promise<{ code: number; said: string }> {
    return new Promise(resolve => {
      const options = { cwd: this.place.root, env: this.place.env(), timeout: 20_000 }
      execFile(process.execPath, [PRODUCT, ...args], options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? -1) : 0, said: stdout + stderr }),
      )
    })
  }

  async close(): Promise<void> {
    for (const child of this.#children.splice(0)) await endOf(child)
    this.place.remove()
  }
}

/** All a run has printed, page by page, and how it stands. */
export async function readAll(client: FakeClient, session_id: string) {
  let cursor = 0
  let text = ''
  for (;;) {
    const request = client.ask('read_output', { session_id, output: { cursor, max_bytes: 200_000 } })
    const page = await client.heard.next('output', frame => frame.request_id === request)
    text += page.output
    if ((page.cursor ?? 0) <= cursor || page.output_bytes === page.cursor) return { text, page }
    cursor = page.cursor ?? 0
  }
}

/** Waits until a run is over, and says how. */
export async function endedRun(client: FakeClient, session_id: string, withinMs = 20_000) {
  const output = { wait_for: 'exit', wait_ms: withinMs, max_bytes: 256 }
  const request = client.ask('read_output', { session_id, output })
  return client.heard.next('output', frame => frame.request_id === request, withinMs + 2000)
}
