import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import type { Settings } from '../../config/env.ts'
import type { CanonicalRequest } from '../../contract/tool/canonicalise.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { OutputOptions } from '../../contract/tool/output-options.ts'
import { DEFAULT_TIMEOUT_MS } from '../../contract/tool/request.ts'
import type { AnyResponse, ListItem, TerminalItem } from '../../contract/tool/response.ts'
import type { Asker } from '../../contract/wire/asker.ts'
import type { CommandRequest, RunReport } from '../../contract/wire/host-frames.ts'
import { hostError } from '../answers/host-error.ts'
import { type LifecycleTrace, lifecycle } from '../answers/lifecycle.ts'
import { type Frame, refuse, respond } from '../answers/present.ts'
import { isOpen, presentReading, presentReport } from '../answers/present-report.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import { wantsItStopped } from './cancellation.ts'
import { commandRequest } from './command-request.ts'
import type { FinalReply, HostAdapter, HostRequest, Listening } from './host-adapter.ts'
import { LinkLost } from './host-connection.ts'
import { HostPatience } from './host-patience.ts'
import { disconnected, HostTalk, isNotFound } from './host-talk.ts'
import type { Lane } from './lane.ts'
import { OpenQuestions } from './open-questions.ts'

export interface HostLaneDeps {
  readonly adapter: HostAdapter
  /** elsewhere: when it cannot be reached, its runs may exist all the same. */
  readonly host: 'on_this_machine' | 'elsewhere'
  readonly clock: Clock
  readonly ids: Ids
  readonly settings: Settings
  /** Where this server was started: commands without a directory of their own run there. */
  readonly cwd: string
}

/** What a host knows of its requester's runs and terminals. */
export interface HostList {
  readonly items: readonly ListItem[]
  readonly omitted: number
  readonly terminals: readonly TerminalItem[]
  readonly approvers: number
  /** Said where it is no ordinary one, as in every answer of it. */
  readonly host?: string | undefined
}

export type Target = { readonly session_id: string } | { readonly terminal_id: string }

export interface RuleChange {
  readonly workspaceId: string
  readonly operation: 'add' | 'remove' | 'set'
  readonly patterns: readonly string[]
  readonly context: string | undefined
}

const STILL_OPEN = 'A person has not answered yet; nothing has changed so far. get_allowlist shows when it has.'
const never = new AbortController().signal
const CANCEL_WITHIN_MS = 5000

/** The interactive lane: asks the host to run it, waits with the person, and says truthfully how far it got. */
export class HostLane {
  readonly #deps: HostLaneDeps
  readonly #talk: HostTalk
  readonly #questions: OpenQuestions

  constructor(deps: HostLaneDeps) {
    this.#deps = deps
    this.#talk = new HostTalk(deps)
    this.#questions = new OpenQuestions(deps.clock)
  }

  async execute(
    frame: Frame,
    request: CanonicalRequest,
    lane: Exclude<Lane, { name: 'headless_process' }>,
    call: ToolCall,
  ): Promise<AnyResponse> {
    const { adapter, clock, settings, cwd } = this.#deps
    const trace = lifecycle(clock)
    trace('spawn')
    const asked = {
      choice: lane.name === 'host_bridge_local' ? lane.adapter : 'local_or_bundled_auto',
      binaryPath: request.runtime?.binary_path ?? null,
      launch: 'if_needed',
    } as const
    await adapter.connect(asked, call.signal)
    trace('ready')
    const patience = new HostPatience(call, clock, {
      runningMs: request.runtime?.timeout_ms ?? DEFAULT_TIMEOUT_MS,
      answerWithinMs: settings.PM_TERM_ANSWER_WITHIN_MS,
    })
    const command = commandRequest(frame, request, { here: cwd, caller: call.directory, adapter: lane.name })
    try {
      const listening: Listening = {
        onAccepted: () => trace('correlation_verified'),
        onProgress: progress => {
          if (progress.phase === 'running') trace('user_decision')
          patience.heard(progress)
        },
      }
      trace('request_sent')
      const reply = await this.#asking(frame, command, () => this.#talk.converse(command, listening, patience.over))
      trace('correlation_verified')
      if (reply === 'given_up') return await this.#answerEarly(frame, command, call, trace)
      trace('user_decision')
      return this.#present(frame, reply, trace)
    } catch (cause) {
      if (!(cause instanceof TermError) || cause.code !== 'PM_TERM_DISCONNECTED') throw cause
      return refuse(frame, cause, { sessionId: command.request_id, result: { lifecycle: trace('response_returned') } })
    } finally {
      patience.dispose()
    }
  }

  /** null: no host runs, or it knows no such run. */
  async read(frame: Frame, target: Target, options: OutputOptions, call: ToolCall): Promise<AnyResponse | null> {
    const most = call.progress ? Number.POSITIVE_INFINITY : this.#deps.settings.PM_TERM_ANSWER_WITHIN_MS
    const wait_ms = options.wait_ms === undefined ? undefined : Math.min(options.wait_ms, most)
    // The flat tool hands over its whole request; the host takes only what is about output.
    const output = OutputOptions.strip().parse({ ...options, wait_ms })
    const report = await this.#reportOf(frame, target, output, call)
    return report && presentReading(frame, report)
  }

  async terminate(frame: Frame, target: Target): Promise<AnyResponse | null> {
    const reply = await this.#talk.askRunning({ type: 'kill', ...this.#addressed(frame), ...target })
    if (reply === null || isNotFound(reply)) return null
    return reply.type === 'killed' ? presentReading(frame, reply) : this.#present(frame, reply)
  }

  /** null: no host runs, so it has nothing to list. */
  async list(frame: Frame): Promise<HostList | null> {
    const reply = await this.#talk.askRunning({ type: 'list', ...this.#addressed(frame) })
    if (reply?.type !== 'listed') return null
    const { items, terminals, approvers, omitted_items } = reply
    // A host on this machine leaves out what lies on the same disk, and the server counts that already.
    return { items, terminals, approvers, omitted: this.#deps.host === 'elsewhere' ? omitted_items : 0 }
  }

  /** Asks the person whether the rules may change. Nothing changes before they have said yes. */
  async updateAllowlist(frame: Frame, change: RuleChange, call: ToolCall): Promise<AnyResponse> {
    const { adapter, clock, settings } = this.#deps
    await adapter.connect({ choice: 'local_or_bundled_auto', binaryPath: null, launch: 'if_needed' }, call.signal)
    const answerWithinMs = settings.PM_TERM_ANSWER_WITHIN_MS
    const patience = new HostPatience(call, clock, { runningMs: answerWithinMs, answerWithinMs })
    const { workspaceId: workspace_id, operation, patterns, context } = change
    const request: HostRequest = {
      type: 'allowlist_update',
      ...this.#addressed(frame),
      workspace_id,
      layer: 'base',
      operation,
      patterns: [...patterns],
      ...(context !== undefined && { context }),
    }
    try {
      const heard: Listening = { onProgress: each => patience.heard(each) }
      const reply = await this.#asking(frame, request, () => this.#talk.converse(request, heard, patience.over))
      if (reply === 'given_up') return respond(frame, { warning: STILL_OPEN }, { running: true })
      if (reply.type === 'error') return refuse(frame, hostError(reply.error))
      if (reply.type === 'allowlist_updated' && reply.error) {
        const { error, reason } = reply
        return refuse(frame, hostError({ ...error, details: { ...(reason !== null && { reason }), ...error.details } }))
      }
      // A reason without an error: nothing had to change, so nobody was asked.
      if (reply.type === 'allowlist_updated' && reply.reason !== null)
        return respond(frame, { authorization: 'allowed', warning: reply.reason })
      return respond(frame, { authorization: 'allowed_with_warning', approved_by: 'person' })
    } finally {
      patience.dispose()
    }
  }

  /** The client of this MCP session is gone. A host that is not connected has nothing of it, or finds out by itself. */
  askerGone(session: string): void {
    this.#questions.gone(session)
    this.#deps.adapter.tell({ type: 'asker_gone', session })
  }

  /** The client of this MCP session calls again. `about`: the runs it speaks of; null: that cannot be told. */
  calls(session: string, about: readonly string[] | null): void {
    for (const id of about ?? []) this.#questions.known(session, id)
    const request_ids = about === null ? [] : this.#questions.leftBehind(session)
    if (request_ids.length > 0) this.#deps.adapter.tell({ type: 'asker_gone_on', request_ids })
  }

  /** While nobody knows how it ended, the question may be one that its client has left behind. */
  async #asking<T>(
    frame: Frame,
    { request_id }: HostRequest,
    converse: () => Promise<T | 'given_up'>,
  ): Promise<T | 'given_up'> {
    const session = frame.asker?.session
    if (session === undefined || session === null) return converse()
    this.#questions.asked(session, request_id)
    let reply: T | 'given_up' | null = null
    try {
      reply = await converse()
      return reply
    } finally {
      if (reply !== 'given_up') this.#questions.known(session, request_id)
    }
  }

  /** The call ends before the run does: because the caller cancelled, or because its clock would run out. */
  async #answerEarly(
    frame: Frame,
    command: CommandRequest,
    call: ToolCall,
    trace: LifecycleTrace,
  ): Promise<AnyResponse> {
    if (wantsItStopped(call.signal)) {
      if (frame.asker?.session) this.#questions.known(frame.asker.session, command.request_id)
      return this.#cancel(frame, command, trace)
    }
    const target = { session_id: command.request_id }
    // The wait is over; what the caller asked to see is still asked for.
    const { wait_for: _, wait_ms: __, ...output } = command.output ?? {}
    const report = await this.#reportOf(frame, target, output, { signal: never })
    if (report === null) throw disconnected(command, 'the host ended')
    if (!isOpen(report)) trace('user_decision')
    return presentReport(frame, report, { lifecycle: trace('response_returned') })
  }

  /** Withdraws the question, or stops waiting for what already runs: a person let it run, and it lives on (docs/spec.md §1.12). */
  async #cancel(frame: Frame, command: CommandRequest, trace: LifecycleTrace): Promise<AnyResponse> {
    const { adapter, clock } = this.#deps
    const { request_id, trace_id } = command
    const late = new AbortController()
    const timer = clock.after(CANCEL_WITHIN_MS, () => late.abort())
    try {
      const sent = await adapter.sendRequest({ type: 'cancel', request_id, trace_id })
      const reply = await adapter.awaitResponse(sent, late.signal)
      if (reply === 'given_up' || reply.type !== 'command_response')
        throw new LinkLost('the host did not confirm the cancellation')
      return presentReading(frame, reply, { warning: whichEnd(reply), lifecycle: trace('response_returned') })
    } catch (cause) {
      throw cause instanceof LinkLost ? disconnected(command, cause) : cause
    } finally {
      timer.dispose()
    }
  }

  #present(frame: Frame, reply: FinalReply, trace?: LifecycleTrace): AnyResponse {
    switch (reply.type) {
      case 'command_response':
      case 'output':
      case 'killed':
        return presentReport(frame, reply, { ...(trace && { lifecycle: trace('response_returned') }) })
      case 'error':
        return refuse(frame, hostError(reply.error))
      case 'listed':
      case 'allowlist_updated':
      case 'pairing_answered':
      case 'setup_answered':
      case 'window_shown':
      case 'status_answered':
        throw new TermError('PM_TERM_INTERNAL', `The host answered with ${reply.type}.`)
    }
  }

  async #reportOf(
    frame: Frame,
    target: Target,
    output: OutputOptions,
    call: Pick<ToolCall, 'signal' | 'progress'>,
  ): Promise<RunReport | null> {
    const request = { type: 'read_output', ...this.#addressed(frame), ...target, output } as const
    const reply = await this.#talk.askRunning(request, call)
    if (reply === null || isNotFound(reply)) return null
    if (reply.type === 'output') return reply
    if (reply.type === 'error') throw hostError(reply.error)
    throw new TermError('PM_TERM_INTERNAL', `The host answered with ${reply.type}.`)
  }

  /** Frames that are not commands get an id of their own: the caller's may be that of a run that still waits. */
  #addressed({ traceId, asker }: Frame): { request_id: string; trace_id: string; asker?: Asker } {
    return { request_id: this.#deps.ids.make('req'), trace_id: traceId, ...(asker && { asker }) }
  }
}

/** Which of the two a cancellation was. */
function whichEnd({ state }: RunReport): string {
  switch (state) {
    case 'withdrawn':
      return 'Cancelled: the question was withdrawn, nothing ran.'
    case 'received':
    case 'awaiting_approval':
    case 'running':
      return 'Cancelled: this call stopped waiting. The command had started and runs on; terminate ends it.'
    default:
      return 'Cancelled too late: it was already over.'
  }
}
