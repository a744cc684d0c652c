import type { AnyResponse } from '../../src/contract/tool/response.ts'
import type { Question } from '../../src/contract/wire/approver-frames.ts'
import type { FaultProxy } from '../drivers/fault-proxy.ts'
import type { FakeApprover } from '../drivers/live-host.ts'
import type { CallOptions, Opened } from '../drivers/mcp-client.ts'
import type { Place } from '../drivers/place.ts'
import type { TwoSides } from './two-sides.ts'

type Args = Readonly<Record<string, unknown>>

/** One of the two places an agent can be: what a scenario may do there, in the same words for both. */
export class Side {
  readonly name: 'local' | 'container'
  readonly world: TwoSides
  readonly server: Opened
  /** Another server of the same agent, over a line that can be cut. */
  readonly flaky: { readonly server: Opened; readonly line: FaultProxy }
  #made = 0
  #scenario = ''

  constructor(at: Pick<Side, 'name' | 'world' | 'server' | 'flaky'>) {
    this.name = at.name
    this.world = at.world
    this.server = at.server
    this.flaky = at.flaky
  }

  get place(): Place {
    return this.world.place
  }

  get approver(): FakeApprover {
    return this.world.approver
  }

  begin(scenario: string): void {
    this.#scenario = scenario.replaceAll(/[^a-z0-9]+/g, '-')
    this.#made = 0
  }

  /** Ids of the caller's own choosing: the same request never has the same id twice, and both sides choose alike. */
  id(): string {
    this.#made += 1
    return `${this.#scenario}:${this.#made}:${this.name}`
  }

  async interactive(args: Args, options: CallOptions = {}): Promise<AnyResponse> {
    return (await this.server.interactive(args, { timeoutMs: 50_000, ...options })).data
  }

  async headless(args: Args, options: CallOptions = {}): Promise<AnyResponse> {
    return (await this.server.headless(args, { timeoutMs: 50_000, ...options })).data
  }

  execute(request_id: string, command: string, more: Args = {}, options: CallOptions = {}): Promise<AnyResponse> {
    return this.interactive(executing(request_id, command, more), options)
  }

  /** The question of that request, read by the person for long enough to be answered. */
  question(request_id: string): Promise<Question> {
    return this.approver.question(question => question.request_id === request_id)
  }

  /** Asks, and a person says yes. */
  async approved(command: string, more: Args = {}): Promise<AnyResponse> {
    const id = this.id()
    const asked = this.execute(id, command, more)
    this.approver.approve(await this.question(id))
    return asked
  }

  read(session_id: string, output: Args = {}): Promise<AnyResponse> {
    return this.interactive({ action: 'read_output', target: { session_id }, output })
  }
}

export function executing(request_id: string, command: string, more: Args = {}): Record<string, unknown> {
  const { execution, runtime, ...rest } = more as { execution?: object; runtime?: object }
  return {
    action: 'execute',
    correlation: { request_id },
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command, ...execution },
    runtime: { workspace_id: 'test', ...runtime },
    ...rest,
  }
}
