import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import type { Settings } from '../../config/env.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { OutputOptions } from '../../contract/tool/output-options.ts'
import { type CanonicalRequest, DEFAULT_TIMEOUT_MS } from '../../contract/tool/request.ts'
import type { AnyResponse } from '../../contract/tool/response.ts'
import { wantedWait } from '../../contract/tool/wait.ts'
import type { Asker } from '../../contract/wire/asker.ts'
import type { CommandRequest, RunReport } from '../../contract/wire/host-frames.ts'
import { hostError } from '../answers/host-error.ts'
import { type LifecycleTrace, lifecycle } from '../answers/lifecycle.ts'
import { type CallContext, refuse } from '../answers/present.ts'
import { isOpen, presentReading, presentReport } from '../answers/present-report.ts'
import { answerWithin, HostPatience } from '../asking/host-patience.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import { PersonAsker } from './ask-person.ts'
import { cancelledHow, wantsItStopped } from './cancellation.ts'
import { commandRequest } from './command-request.ts'
import { disconnected, type FinalReply, type HostAdapter, isNotFound } from './host-adapter.ts'
import type { CallTarget, HostList } from './host-calls.ts'
import { LinkLost } from './host-connection.ts'
import type { ChosenLane } from './lane.ts'
import { hostLook } from './look-on.ts'
import { typeInput } from './type-input.ts'
import { type AllowlistChange, updateAllowlist } from './update-allowlist.ts'

export interface HostLaneDeps {
  readonly adapter: HostAdapter
  readonly clock: Clock
  readonly ids: Ids
  readonly settings: Settings
  /** Where this server was started: commands without a directory of their own run there. */
  readonly cwd: string
}

/** As every answer of a host in a container says it (docs/spec.md D25). */
export const HOST_IN_CONTAINER = 'host in a container'
const never = new AbortController().signal
const CANCEL_WITHIN_MS = 5000

/** The interactive lane: asks the host to run it, waits with the person, and says truthfully how far it got. */
export class HostLane {
  readonly #deps: HostLaneDeps
  readonly #person: PersonAsker
  /** For whoever looks at a run without a tool. */
  readonly looks = hostLook(() => ({ adapter: this.#deps.adapter, addressed: about => this.#addressed(about) }))

  constructor(deps: HostLaneDeps) {
    this.#deps = deps
    this.#person = new PersonAsker(deps)
  }

  async execute(
    context: CallContext,
    request: CanonicalRequest,
    lane: Exclude<ChosenLane, { name: 'headless_process' }>,
    call: ToolCall,
  ): Promise<AnyResponse> {
    return this.#said(await this.#execute(context, request, lane, call))
  }

  async #execute(...[context, request, lane, call]: Parameters<HostLane['execute']>): Promise<AnyResponse> {
    if (request.execution?.input !== undefined) return this.#type(context, request, call)
    const { adapter, clock, settings, cwd } = this.#deps
    const trace = lifecycle()
    trace('spawn')
    const options = {
      choice: lane.name === 'host_bridge_local' ? lane.adapter : 'local_or_bundled_auto',
      binaryPath: request.runtime?.binary_path ?? null,
      launch: 'if_needed',
    } as const

    await adapter.connect(options, call.signal)
    trace('ready')

    const patience = new HostPatience(call, clock, {
      runningMs: request.output?.wait?.timeout_ms ?? request.runtime?.timeout_ms ?? DEFAULT_TIMEOUT_MS,
      answerWithinMs: answerWithin(call, settings),
    })
    const command = commandRequest(context, request, { here: cwd, caller: call.directory, adapter: lane.name })

    try {
      trace('request_sent')
      const reply = await this.#person.ask(context, command, {
        call,
        patience,
        onAccepted: () => trace('correlation_verified'),
        onProgress: ({ phase }) => {
          if (phase === 'running') trace('user_decision')
        },
      })
      trace('correlation_verified')
      if (reply === 'given_up') return await this.#answerEarly(context, command, call, trace)
      trace('user_decision')
      return this.#present(context, reply, trace)
    } catch (cause) {
      if (!(cause instanceof TermError) || cause.code !== 'PM_TERM_DISCONNECTED') throw cause
      const result = { lifecycle: trace('response_returned') }
      return refuse(context, cause, { sessionId: command.request_id, result })
    } finally {
      patience.dispose()
    }
  }

  #type(context: CallContext, request: CanonicalRequest, call: ToolCall): Promise<AnyResponse> {
    const reportOf = (target: CallTarget) => this.#reportOf(context, target, {}, { signal: never })
    return typeInput({ ...this.#deps, person: this.#person, reportOf }, context, request, call)
  }

  /** null: no host runs, or it knows no such run. */
  async read(
    context: CallContext,
    target: CallTarget,
    options: OutputOptions,
    call: ToolCall,
  ): Promise<AnyResponse | null> {
    const most = answerWithin(call, this.#deps.settings)
    const wanted = wantedWait(options, null)
    const limit = wanted && Math.min(wanted.timeoutMs, most)
    const wait = options.wait && { ...options.wait, timeout_ms: limit ?? undefined }
    // The flat tool hands over its whole request; the host takes only what is about output.
    const output = OutputOptions.strip().parse({ ...options, wait, wait_ms: limit ?? undefined })
    const report = await this.#reportOf(context, target, output, call)
    return report && this.#said(presentReading(context, report))
  }

  async terminate(context: CallContext, target: CallTarget): Promise<AnyResponse | null> {
    const reply = await this.#deps.adapter.askRunning({ type: 'kill', ...this.#addressed(context), ...target })
    if (reply === null || isNotFound(reply)) return null
    return this.#said(reply.type === 'killed' ? presentReading(context, reply) : this.#present(context, reply))
  }

  /** null: no host runs, so it has nothing to list. */
  async list(context: CallContext): Promise<HostList | null> {
    const reply = await this.#deps.adapter.askRunning({ type: 'list', ...this.#addressed(context) })
    if (reply?.type !== 'listed') return null
    const { items, terminals, approvers, human, omitted_items } = reply
    // A host on this machine leaves out what lies on the same disk, and the server counts that already.
    return { items, terminals, approvers, human, omitted: this.#deps.adapter.isElsewhere ? omitted_items : 0 }
  }

  async updateAllowlist(context: CallContext, change: AllowlistChange, call: ToolCall): Promise<AnyResponse> {
    const deps = { ...this.#deps, person: this.#person, addressed: this.#addressed(context) }
    return this.#said(await updateAllowlist(deps, context, change, call))
  }

  /** It has said so itself. */
  get isInContainer(): boolean {
    return this.#deps.adapter.hostIsInContainer
  }

  #said(response: AnyResponse): AnyResponse {
    return this.isInContainer ? { ...response, result: { ...response.result, host: HOST_IN_CONTAINER } } : response
  }

  /** The client of this MCP session is gone. A host that is not connected has nothing of it, or finds out by itself. */
  askerGone(session: string): void {
    this.#person.open.gone(session)
    this.#deps.adapter.notify({ type: 'asker_gone', session })
  }

  /** The client of this MCP session calls again. `about`: the runs it speaks of; null: that is not known. */
  calls(session: string, about: readonly string[] | null): void {
    for (const id of about ?? []) this.#person.open.known(session, id)
    const request_ids = about === null ? [] : this.#person.open.leftBehind(session)
    if (request_ids.length > 0) this.#deps.adapter.notify({ type: 'asker_gone_on', request_ids })
  }

  /** The call ends before the run does: because the caller cancelled, or because its clock would run out. */
  async #answerEarly(
    context: CallContext,
    command: CommandRequest,
    call: ToolCall,
    trace: LifecycleTrace,
  ): Promise<AnyResponse> {
    if (wantsItStopped(call.signal)) {
      if (context.asker?.session) this.#person.open.known(context.asker.session, command.request_id)
      return this.#cancel(context, command, trace)
    }
    const target = { session_id: command.request_id }
    // The wait is over; what the caller asked to see is still asked for.
    const { wait: _, wait_for: __, wait_ms: ___, ...output } = command.output ?? {}
    const report = await this.#reportOf(context, target, output, { signal: never })
    if (report === null) throw disconnected(command, 'the host ended')
    if (!isOpen(report)) trace('user_decision')
    return presentReport(context, report, { lifecycle: trace('response_returned') })
  }

  /** Withdraws the question, or stops waiting for what already runs: a person approved it, and it lives on (docs/spec.md §1.12). */
  async #cancel(context: CallContext, command: CommandRequest, trace: LifecycleTrace): Promise<AnyResponse> {
    const { adapter, clock } = this.#deps
    const { request_id, trace_id } = command
    const late = new AbortController()
    const timer = clock.after(CANCEL_WITHIN_MS, () => late.abort())
    try {
      const sent = await adapter.sendRequest({ type: 'cancel', request_id, trace_id })
      const reply = await adapter.awaitResponse(sent, late.signal)
      if (reply === 'given_up' || reply.type !== 'command_response')
        throw new LinkLost('the host did not confirm the cancellation')
      return presentReading(context, reply, { warning: cancelledHow(reply), lifecycle: trace('response_returned') })
    } catch (cause) {
      throw cause instanceof LinkLost ? disconnected(command, cause) : cause
    } finally {
      timer.dispose()
    }
  }

  #present(context: CallContext, reply: FinalReply, trace?: LifecycleTrace): AnyResponse {
    switch (reply.type) {
      case 'command_response':
      case 'output':
      case 'killed':
        return presentReport(context, reply, { ...(trace && { lifecycle: trace('response_returned') }) })
      case 'error':
        return refuse(context, hostError(reply.error))
      case 'listed':
      case 'allowlist_updated':
      case 'pairing_answered':
      case 'setup_answered':
      case 'window_shown':
      case 'status_answered':
      case 'receipt_read':
      case 'permit_answered':
      case 'permit_used':
        throw new TermError('PM_TERM_INTERNAL', `The host answered with ${reply.type}.`)
    }
  }

  async #reportOf(
    context: CallContext,
    target: CallTarget,
    output: OutputOptions,
    call: Pick<ToolCall, 'signal' | 'progress'>,
  ): Promise<RunReport | null> {
    const request = { type: 'read_output', ...this.#addressed(context), ...target, output } as const
    const reply = await this.#deps.adapter.askRunning(request, call)
    if (reply === null || isNotFound(reply)) return null
    if (reply.type === 'output') return reply
    if (reply.type === 'error') throw hostError(reply.error)
    throw new TermError('PM_TERM_INTERNAL', `The host answered with ${reply.type}.`)
  }

  /** Frames that are not commands get an id of their own: the caller's may be that of a run that still waits. */
  #addressed({ traceId, asker }: CallContext): { request_id: string; trace_id: string; asker?: Asker } {
    return { request_id: this.#deps.ids.make('req'), trace_id: traceId, ...(asker && { asker }) }
  }
}
