import type { Clock } from '../../base/clock.ts'
import { Disposables, onAbort } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { HostPatience } from '../asking/host-patience.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import { type HostConnection, type HostNews, type HostReply, type HostRequest, LinkLost } from './host-connection.ts'
import { pause, type ReachedHost, type ReachOptions } from './reach-host.ts'

export interface AdapterDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** elsewhere: when it cannot be reached, its runs may exist all the same. */
  readonly host: 'on_this_machine' | 'elsewhere'
  /** The dialer: all that differs between a host on this machine and one outside the container. */
  readonly reach: (options: ReachOptions, signal: AbortSignal) => Promise<ReachedHost>
  /** How long the host may take to acknowledge a frame. Waiting for a person and running never count (docs/spec.md D6). */
  readonly requestTimeoutMs: number
  /** Called when a host has another run of ours. */
  readonly onOpened?: (id: string) => void
}

/** The frames that end a request. */
export type FinalReply = Exclude<HostReply, { type: 'accepted' | 'progress' }>
export type ProgressReply = Extract<HostReply, { type: 'progress' }>

export interface Listening {
  /** The host has taken the request: the ids it sent back are ours. */
  readonly onAccepted?: (reply: Extract<HostReply, { type: 'accepted' }>) => void
  readonly onProgress?: (reply: ProgressReply) => void
}

export interface Sent {
  readonly request: HostRequest
  readonly instanceId: string
  readonly reply: Promise<FinalReply>
}

const RECOVER_AFTER_MS = [0, 100, 300, 700, 1500, 2500]
const MOST_RECOVERIES = 3
const ONLY_IF_IT_RUNS = { choice: 'local_or_bundled_auto', binaryPath: null, launch: 'never' } as const
const never = new AbortController().signal

/**
 * How this server talks to the host, whatever lies between them: the adapter of docs/spec.md §4.3 over one dialer. One
 * connection serves all calls; it is made when first needed and made again when it was lost.
 */
export class HostAdapter {
  readonly #deps: AdapterDeps
  #connection: HostConnection | null = null
  #connecting: { readonly reached: Promise<ReachedHost>; readonly launch: ReachOptions['launch'] } | null = null
  readonly #ends = new AbortController()

  constructor(deps: AdapterDeps) {
    this.#deps = deps
  }

  /** Connected, by launching a host if that is allowed and needed. */
  async connect(options: ReachOptions, signal: AbortSignal): Promise<{ readonly launchedPid: number | null }> {
    if (this.#connection?.open) return { launchedPid: null }
    if (this.#ends.signal.aborted) throw givenUp('this server ends')
    // Calls that come together share one try; it goes on when the one that began it is given up.
    const shared = this.#connecting
    if (shared && options.launch === 'if_needed' && shared.launch === 'never') await shared.reached.catch(() => {})
    const reached = this.#connecting?.reached ?? this.#begin(options)
    const { connection, launchedPid } = await unlessAborted(signal, reached)
    this.#connection = connection
    return { launchedPid }
  }

  #begin(options: ReachOptions): Promise<ReachedHost> {
    const reached = this.#deps.reach(options, this.#ends.signal).finally(() => {
      this.#connecting = null
    })
    this.#connecting = { reached, launch: options.launch }
    return reached
  }

  get isElsewhere(): boolean {
    return this.#deps.host === 'elsewhere'
  }

  /** The host we talk to has said that it is in a container. */
  get hostIsInContainer(): boolean {
    return this.#connection?.ack.host.in_container === true
  }

  /** Where the person finds the window of the host we talk to; null: it has none. */
  get windowUrl(): string | null {
    const port = this.#connection?.ack.host.window_port
    return port === undefined ? null : `http://localhost:${port}/`
  }

  healthCheck(): { readonly healthy: boolean; readonly silentMs: number | null; readonly instanceId: string | null } {
    const live = this.#connection?.open ? this.#connection : null
    return { healthy: live !== null, silentMs: live?.silentMs ?? null, instanceId: live?.ack.instance_id ?? null }
  }

  /** Sends it, and sends it again to the same host when the connection was lost: the same id never runs twice. */
  async converse(request: HostRequest, listening: Listening, signal: AbortSignal): Promise<FinalReply | 'given_up'> {
    for (let recoveries = 0; ; recoveries += 1) {
      const before = this.healthCheck().instanceId ?? ''
      try {
        return await this.awaitResponse(await this.sendRequest(request, listening), signal)
      } catch (cause) {
        const unacknowledged = cause instanceof TermError && cause.code === 'PM_TERM_TIMEOUT'
        if (!(cause instanceof LinkLost) && !unacknowledged) throw cause
        if (unacknowledged && recoveries > 0) throw cause
        if (recoveries === MOST_RECOVERIES) throw disconnected(request, cause)
        const host = await this.recover(unacknowledged ? 'timeout' : 'disconnect', before, signal).catch(() => null)
        if (host === null) throw disconnected(request, cause)
        if (host === 'another' && request.type === 'command_request') return await this.#whatBecameOf(request, cause)
      }
    }
  }

  /** For what only looks or ends: a host is not started for it. null when none runs here; one elsewhere may well run. */
  async askRunning(
    request: HostRequest,
    call: Pick<ToolCall, 'signal' | 'progress'> = { signal: never },
  ): Promise<FinalReply | null> {
    try {
      await this.connect(ONLY_IF_IT_RUNS, call.signal)
    } catch (cause) {
      if (!this.isElsewhere && cause instanceof TermError && cause.code === 'PM_TERM_GUI_UNAVAILABLE') return null
      throw cause
    }
    // The host itself ends such a wait; only the caller can end it sooner.
    const unlimited = { runningMs: Number.POSITIVE_INFINITY, answerWithinMs: Number.POSITIVE_INFINITY }
    const patience = new HostPatience(call, this.#deps.clock, unlimited)
    try {
      const reply = await this.converse(request, { onProgress: progress => patience.received(progress) }, patience.over)
      if (reply === 'given_up') throw disconnected(request, 'the call was given up before the host answered')
      return reply
    } finally {
      patience.dispose()
    }
  }

  /** Another host answers now. It is asked what it knows; it is never asked to run it. */
  async #whatBecameOf(request: HostRequest, cause: unknown): Promise<FinalReply> {
    const { request_id: session_id, trace_id } = request
    const request_id = this.#deps.ids.make('req')
    const reply = await this.askRunning({ type: 'read_output', request_id, trace_id, session_id })
    if (reply === null || isNotFound(reply)) throw disconnected(request, cause)
    return reply
  }

  /** Sends it and resolves once the host has acknowledged it, with the reply still to come. */
  async sendRequest(request: HostRequest, listening: Listening = {}): Promise<Sent> {
    const connection = this.#connection
    if (!connection?.open) throw new LinkLost('there is no connection to the host')
    let acknowledge = () => {}
    const acknowledged = new Promise<void>(resolve => {
      acknowledge = resolve
    })
    const life = new Disposables()
    const reply = new Promise<FinalReply>((resolve, reject) => {
      life.add(connection.onLost(reason => reject(new LinkLost(reason))))
      life.add(
        connection.onReply(request.request_id, frame => {
          acknowledge()
          if (frame.type === 'accepted') {
            if (request.type === 'command_request') this.#deps.onOpened?.(request.request_id)
            listening.onAccepted?.(frame)
          } else if (frame.type === 'progress') listening.onProgress?.(frame)
          else resolve(frame)
        }),
      )
    }).finally(() => life.dispose())
    // Handled by whoever awaits the response; until somebody does, a lost link is no fault of ours.
    reply.catch(() => {})
    connection.send(request)
    await Promise.race([acknowledged, reply, this.#inTime(request, life)])
    return { request, instanceId: connection.ack.instance_id, reply }
  }

  /** The reply, or LinkLost when the connection went before it came. */
  awaitResponse(sent: Sent, signal: AbortSignal): Promise<FinalReply | 'given_up'> {
    return new Promise((resolve, reject) => {
      const stop = onAbort(signal, () => resolve('given_up'))
      sent.reply.then(resolve, reject).finally(() => stop.dispose())
    })
  }

  /**
   * Connects again after a fault, without ever starting a host: a new one would not know what the old one ran. Says
   * whether it is the same host; only that one may be asked again.
   */
  async recover(
    reason: 'timeout' | 'disconnect' | 'error',
    before: string,
    signal: AbortSignal,
  ): Promise<'same' | 'another'> {
    if (reason !== 'disconnect') this.#connection?.dispose()
    for (const ms of RECOVER_AFTER_MS) {
      await pause(this.#deps.clock, ms, signal)
      if (signal.aborted) break
      try {
        await this.connect(ONLY_IF_IT_RUNS, signal)
        return this.#connection?.ack.instance_id === before ? 'same' : 'another'
      } catch (cause) {
        // Revoked meanwhile: no waiting brings that back.
        if (cause instanceof TermError && cause.details.reason === 'not_paired') break
        this.#deps.log.debug('the host is not back yet', { cause })
      }
    }
    throw new LinkLost('the host did not come back')
  }

  /** For what needs no answer: sent when there is a connection, and only then. */
  notify(frame: HostNews): void {
    if (this.#connection?.open) this.#connection.send(frame)
  }

  /** Our open questions are withdrawn; what runs, runs on. */
  close(): void {
    this.#ends.abort()
    this.#connection?.goodbye('the server ends')
  }

  #inTime(request: HostRequest, life: Disposables): Promise<never> {
    const { clock, requestTimeoutMs } = this.#deps
    return new Promise((_, reject) => {
      life.add(
        clock.after(requestTimeoutMs, () =>
          reject(
            new TermError(
              'PM_TERM_TIMEOUT',
              `The host did not acknowledge the request within ${requestTimeoutMs} ms.`,
              {
                details: { phase: 'handshake', timeout_ms: requestTimeoutMs, request_id: request.request_id },
              },
            ),
          ),
        ),
      )
    })
  }
}

const unlessAborted = <T>(signal: AbortSignal, wanted: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const listening = onAbort(signal, () => reject(givenUp('the call was given up')))
    void wanted.then(resolve, reject).finally(() => listening.dispose())
  })

/** Before anything was asked: there is nothing to recover and nothing that could have run. */
const givenUp = (why: string): TermError =>
  new TermError('PM_TERM_DISCONNECTED', 'The call ended before the host was reached. Nothing ran.', {
    details: { why },
  })

export const isNotFound = (reply: FinalReply): boolean =>
  reply.type === 'error' && reply.error.code === 'PM_TERM_NOT_FOUND'

/** What became of it is not known here, and a second start is the one thing that must not happen by itself. */
export function disconnected(request: HostRequest, cause: unknown): TermError {
  const session_id = request.type === 'command_request' ? request.request_id : undefined
  const why = cause instanceof Error ? cause.message : String(cause)
  return new TermError(
    'PM_TERM_DISCONNECTED',
    'The connection to the host was lost and did not come back in time. Whether the command ran is not known here; read_output with its session_id shows it once the host is back.',
    { details: { ...(session_id !== undefined && { session_id }), why }, cause },
  )
}
