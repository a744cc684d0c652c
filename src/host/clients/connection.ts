import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { keepAlive } from '../../base/link/heartbeat.ts'
import type { Link } from '../../base/link/link.ts'
import type { Log } from '../../base/log.ts'
import { isId } from '../../contract/field.ts'
import { errorBody, TermError } from '../../contract/tool/errors.ts'
import { issuesOf } from '../../contract/tool/issues.ts'
import { askerInWords } from '../../contract/wire/asker-words.ts'
import {
  type FromHost,
  type Hello,
  HOST_CAPABILITIES,
  PROTOCOL_VERSION,
  ToHost,
} from '../../contract/wire/host-frames.ts'
import { databaseFault, JournalUnwritable } from '../../runs/journal/database-fault.ts'
import type { Presence } from '../questions/presence.ts'
import type { Caller, ClientRequest } from './caller.ts'
import type { Pairings } from './pairings.ts'
import type { ClientRequests } from './requests.ts'
import type { ClientSessions } from './sessions.ts'

export interface ConnectionDeps {
  readonly clock: Clock
  readonly log: Log
  readonly requests: ClientRequests
  readonly sessions: ClientSessions
  readonly presence: Presence
  readonly pairings: Pick<Pairings, 'requesterOf'>
  readonly heartbeatMs: number
  readonly instanceId: string
  readonly version: string
  readonly pid: number
  readonly inContainer: boolean
  /** null: this host has no window. */
  readonly windowPort: number | null
  /** The hash of what a person has decided. */
  readonly decided: () => string
}

const HELLO_WITHIN_MS = 5000
/** Commands stay open for as long as they run; reading and ending them must find room whatever runs. */
const MOST_AT_ONCE = { commands: 512, others: 256 }
const LONGEST_NAME = 200

/** One MCP server on one socket: hello first, then requests, each answered on this socket and no other. */
export class ClientConnection implements Disposable {
  readonly #deps: ConnectionDeps
  readonly #link: Link
  readonly #life = new Disposables()
  readonly #gone = new AbortController()
  readonly #alive: { received(): void }
  #caller: Caller | null = null
  readonly #atOnce = { commands: 0, others: 0 }

  constructor(deps: ConnectionDeps, link: Link) {
    this.#deps = deps
    this.#link = link
    const alive = keepAlive(link, { clock: deps.clock, intervalMs: deps.heartbeatMs })
    this.#alive = this.#life.add(alive)
    this.#life.add(
      deps.clock.after(HELLO_WITHIN_MS, () => {
        if (!this.#caller) link.close('no hello')
      }),
    )
    link.onClose(() => this.dispose())
    link.onFrame(frame => this.#receive(frame))
  }

  dispose(): void {
    this.#gone.abort()
    this.#life.dispose()
  }

  #receive(raw: object): void {
    this.#alive.received()
    const parsed = ToHost.safeParse(raw)
    if (!parsed.success) {
      this.#refuse(raw, issuesOf(parsed.error))
      return
    }
    const frame = parsed.data
    if (frame.type === 'hello') this.#hello(frame)
    else if (this.#caller === null) this.#end(notHello())
    else if (frame.type === 'goodbye') {
      this.#deps.sessions.end(this.#caller.session)
      this.#link.close('goodbye')
    } else if (frame.type === 'asker_gone') this.#deps.sessions.askerGone(this.#caller.session, frame.session)
    else if (frame.type === 'asker_gone_on')
      for (const id of frame.request_ids) this.#deps.requests.goneOn(this.#caller, id)
    else if (frame.type !== 'heartbeat') void this.#answer(frame, this.#caller)
  }

  #hello(hello: Hello): void {
    if (this.#caller) return
    if (hello.protocol_version !== PROTOCOL_VERSION) {
      this.#end(
        new TermError(
          'PM_TERM_INVALID_MODE',
          `The host speaks protocol version ${PROTOCOL_VERSION}, the caller speaks ${hello.protocol_version}. The older one has to be updated.`,
          { details: { protocol_version: PROTOCOL_VERSION } },
        ),
      )
      return
    }

    const { sessions, presence, pairings, heartbeatMs, instanceId, version, pid, inContainer, windowPort, decided } =
      this.#deps
    const requester = pairings.requesterOf(this.#link.identity, hello.peer?.name ?? null)
    if (requester === null) {
      this.#end(
        new TermError(
          'PM_TERM_INVALID_PAYLOAD',
          'Identity comes from the key, not from the frame; this connection is not allowed here.',
        ),
      )
      return
    }

    const session = `${requester}\0${hello.runtime_session_id}`
    if (sessions.isCutOff(session)) {
      this.#end(cutOff())
      return
    }
    const { client } = hello
    const name = client ? inWords(client) : 'unnamed'
    this.#caller = {
      requester,
      client: name,
      session,
      asker: null,
      signal: this.#gone.signal,
      reply: (frame, when) => this.#send(frame, when),
    }
    this.#life.add(sessions.arrive(session, { name, requester }, why => this.#link.close(why)))

    this.#send({
      type: 'hello_ack',
      protocol_version: PROTOCOL_VERSION,
      capabilities: [...HOST_CAPABILITIES],
      trace_id: hello.trace_id,
      runtime_session_id: hello.runtime_session_id,
      instance_id: instanceId,
      identity: requester,
      heartbeat_interval_ms: heartbeatMs,
      host: {
        version,
        pid,
        ...(inContainer && { in_container: true }),
        ...(windowPort !== null && { window_port: windowPort }),
      },
      approvers: presence.count,
      decided: decided(),
    })
  }

  async #answer(frame: ClientRequest, caller: Caller): Promise<void> {
    const { request_id, trace_id } = frame
    const fail = (error: TermError) =>
      this.#send({ type: 'error', id: request_id, request_id, trace_id, error: errorBody(error) })

    const kind = frame.type === 'command_request' ? 'commands' : 'others'
    const most = MOST_AT_ONCE[kind]
    // What ends something is never refused for want of room: it makes room.
    if (this.#atOnce[kind] >= most && frame.type !== 'cancel' && frame.type !== 'kill') {
      const what = kind === 'commands' ? 'commands run or wait' : 'requests are open'
      const problem = `Nothing was started: ${most} ${what} on this connection already. End one first.`
      fail(new TermError('PM_TERM_INTERNAL', problem, { details: { reason: 'too_many_open', most } }))
      return
    }

    this.#atOnce[kind] += 1
    const asker = 'asker' in frame ? frame.asker : undefined
    const asking = asker && this.#deps.sessions.asks(caller.session, asker)
    try {
      await this.#deps.requests.answer(
        frame,
        asker ? { ...caller, client: inWords(asker), asker: asker.session } : caller,
      )
    } catch (cause) {
      if (!(cause instanceof TermError)) this.#deps.log.error('a request failed', { request_id, trace_id, cause })
      fail(cause instanceof TermError ? cause : hostFailed(cause, trace_id))
    } finally {
      this.#atOnce[kind] -= 1
      asking?.dispose()
    }
  }

  /** A frame we do not know. One that says which request it is gets an answer; any other ends the connection. */
  #refuse(raw: object, issues: readonly object[]): void {
    const { request_id, id, trace_id } = raw as Record<string, unknown>
    const known = request_id ?? id
    const error = new TermError('PM_TERM_INVALID_PAYLOAD', 'The host does not know this frame. Nothing ran.', {
      details: { issues: issues.slice(0, 20) },
    })
    if (this.#caller === null || !isId(known)) {
      this.#end(error)
      return
    }
    const trace = isId(trace_id) ? { trace_id } : {}
    this.#send({ type: 'error', id: known, request_id: known, ...trace, error: errorBody(error) })
  }

  #end(error: TermError): void {
    this.#send({ type: 'error', error: errorBody(error) })
    this.#link.close(error.message)
  }

  #send(frame: FromHost, when?: 'now' | 'soon'): void {
    if (this.#link.open) this.#link.send(frame, when)
  }
}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE'])

/** Also when it is the reason of another error. */
const cannotWrite = (cause: unknown): boolean =>
  cause instanceof Error &&
  (cause instanceof JournalUnwritable ||
    ['busy', 'unwritable'].includes(databaseFault(cause) ?? '') ||
    NO_ROOM.has((cause as NodeJS.ErrnoException).code ?? '') ||
    cannotWrite(cause.cause))

/** What a person can fix is said in its own words; for anything else there is the log. */
function hostFailed(cause: unknown, trace_id: string): TermError {
  const message = cause instanceof Error ? cause.message : String(cause)
  const why = cannotWrite(cause)
    ? `The host cannot write down what it does, so it did nothing: ${message}.`
    : 'The host failed. The trace id finds the reason in its log.'
  return new TermError('PM_TERM_INTERNAL', why, { details: { trace_id } })
}

const inWords = (asker: Parameters<typeof askerInWords>[0]): string => askerInWords(asker).slice(0, LONGEST_NAME)

const notHello = (): TermError => new TermError('PM_TERM_INVALID_PAYLOAD', 'The first frame must be a hello.')

const cutOff = (): TermError =>
  new TermError(
    'PM_TERM_DISCONNECTED',
    'The person has cut this agent off. It is heard again once it is started anew.',
    {
      details: { reason: 'cut_off_by_person' },
    },
  )
