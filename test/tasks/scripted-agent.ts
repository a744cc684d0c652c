import type { Opened } from '../drivers/mcp-client.ts'
import { type Form, readAnswer, type Seen } from './read-answer.ts'
import type { SentCall } from './wrong-call.ts'

export type Lane = 'interactive' | 'headless'

/** How long a call may wait at most: long, for a busy machine. */
const PATIENCE_MS = 50_000

/**
 * An agent without a model: it sends calls, reads one form of their answers and nothing else, and counts what that cost. What
 * it does next is decided by the task from what was read.
 */
export class ScriptedAgent {
  readonly form: Form
  readonly lane: Lane
  calls = 0
  bytes = 0
  #server: Opened

  constructor(server: Opened, form: Form, lane: Lane) {
    this.#server = server
    this.form = form
    this.lane = lane
  }

  /** Its client has started another server. */
  moveTo(server: Opened): void {
    this.#server = server
  }

  async send({ tool, arguments: sent }: SentCall): Promise<Seen> {
    const answer = await this.#server.call(tool, sent, { timeoutMs: PATIENCE_MS })
    this.calls++
    this.bytes += Buffer.byteLength(this.form === 'text' ? answer.text : JSON.stringify(answer.data))
    return readAnswer(answer, this.form, tool)
  }

  /** Runs a command in its lane. */
  run(command: string, { output = {}, timeoutMs, cwd, terminal }: RunOptions = {}): Promise<Seen> {
    const timed = timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }
    const placed = cwd === undefined ? {} : { cwd }
    if (this.lane === 'headless') return this.send(headless({ action: 'run', command, ...timed, ...placed, ...output }))
    return this.send(
      interactive({
        action: 'execute',
        invocation: INVOCATION,
        execution: { command, context: 'a task of the test' },
        runtime: { ...timed, ...placed },
        ...(terminal !== undefined && { target: { terminal_id: terminal } }),
        ...(Object.keys(output).length > 0 && { output }),
      }),
    )
  }

  read(session: string, output: Readonly<Record<string, unknown>>): Promise<Seen> {
    return this.send(
      this.lane === 'headless'
        ? headless({ action: 'read_output', session_id: session, ...output })
        : interactive({ action: 'read_output', target: { session_id: session }, output }),
    )
  }

  /** Types into a program, again where the answer says that the person was typing just now. */
  async type(session: string, input: string): Promise<Seen> {
    const target = { session_id: session }
    const call = interactive({ action: 'execute', invocation: INVOCATION, target, execution: { input } })
    let seen = await this.send(call)
    for (let tries = 0; tries < 5 && /Try again in some seconds/.test(seen.said); tries++) {
      await this.read(session, { wait: { until: 'idle', idle_ms: 1500 } })
      seen = await this.send(call)
    }
    return seen
  }

  end(session: string): Promise<Seen> {
    return this.send(
      this.lane === 'headless'
        ? headless({ action: 'kill', session_id: session })
        : interactive({ action: 'terminate', target: { session_id: session } }),
    )
  }

  list(): Promise<Seen> {
    return this.send(this.lane === 'headless' ? headless({ action: 'list' }) : interactive({ action: 'list' }))
  }

  /** Follows the ready-made calls of the answers until the command is over. */
  async untilOver(seen: Seen): Promise<Seen> {
    let last = seen
    for (let calls = 0; calls < 20 && last.next && (last.state === 'running' || last.state === 'asked'); calls++)
      last = await this.send(last.next)
    return last
  }
}

interface RunOptions {
  readonly output?: Readonly<Record<string, unknown>>
  readonly timeoutMs?: number
  readonly cwd?: string
  readonly terminal?: string
}

const INVOCATION = { mode: 'interactive', intent: 'execute_command' }
const headless = (fields: Readonly<Record<string, unknown>>): SentCall => ({
  tool: 'memory_terminal',
  arguments: fields,
})
const interactive = (fields: Readonly<Record<string, unknown>>): SentCall => ({
  tool: 'memory_terminal_interactive',
  arguments: fields,
})
