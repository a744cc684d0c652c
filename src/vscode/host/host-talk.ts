import type { Clock } from '../../base/clock.ts'
import { Disposables, onAbort } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { readKeyFile } from '../../base/keys/key-file.ts'
import { keepAlive } from '../../base/link/heartbeat.ts'
import type { Link } from '../../base/link/link.ts'
import { DialError, dialPsk } from '../../base/link/psk-socket.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { FromHost, PROTOCOL_VERSION } from '../../contract/wire/host-frames.ts'
import type { PermitAnswered, PermitRequest, PermitUse } from '../../contract/wire/input-frames.ts'
import type { HostAt, HostPlaces } from '../product/product.ts'

/** How the host sees us: as the program that asks. */
export interface EditorName {
  readonly name: string
  readonly version: string
}

export interface TalkDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly editor: EditorName
  readonly places: () => Promise<HostPlaces>
  readonly hostAt: (hostFile: string) => HostAt | null
}

type WithoutIds<Frame> = Omit<Frame, 'type' | 'id' | 'request_id' | 'trace_id' | 'asker'>
export type WantedPermit = WithoutIds<PermitRequest>
export type HeldPermit = Pick<PermitAnswered, 'permit' | 'authorization' | 'warnings'>

const DIAL_MS = 3000
const HELLO_MS = 5000
const NOTHING = 'Nothing was typed.'

/**
 * The editor's side of the port for clients: it asks for permits, and hands them back. One connection, made when it is needed. When it
 * breaks, whatever was asked on it is over: nothing is asked a second time by itself.
 */
export class HostTalk {
  readonly #deps: TalkDeps
  readonly #session: string
  #talk: Promise<Conversation> | null = null
  #over = false

  constructor(deps: TalkDeps) {
    this.#deps = deps
    this.#session = deps.ids.make('ses')
  }

  /** Resolves once a person, or a rule of theirs, lets it be; throws why not. */
  async permit(wanted: WantedPermit, signal: AbortSignal): Promise<HeldPermit> {
    const { ids } = this.#deps
    const talk = await this.#conversation()
    const request_id = ids.make('req')
    const frame: PermitRequest = { type: 'permit_request', request_id, trace_id: ids.make('trace'), ...wanted }
    const reply = await talk.ask(frame, signal)
    if (reply.type === 'permit_answered') return reply
    throw new TermError('PM_TERM_INTERNAL', `The host answered with ${reply.type}. ${NOTHING}`)
  }

  /** From then on it may be typed, once. Throws: it must not be. */
  async use({ permit_id, plan_hash, terminal_id }: HeldPermit['permit']): Promise<void> {
    const { ids } = this.#deps
    const talk = await this.#conversation()
    const request_id = ids.make('req')
    const frame: PermitUse = {
      type: 'permit_use',
      request_id,
      trace_id: ids.make('trace'),
      permit_id,
      plan_hash,
      terminal_id,
    }
    const reply = await talk.ask(frame, new AbortController().signal)
    if (reply.type !== 'permit_used')
      throw new TermError('PM_TERM_INTERNAL', `The host answered with ${reply.type}. ${NOTHING}`)
  }

  dispose(): void {
    this.#over = true
    void this.#talk?.then(
      talk => talk.end('the editor ends'),
      () => {},
    )
  }

  #conversation(): Promise<Conversation> {
    if (this.#over) throw new TermError('PM_TERM_DISCONNECTED', `The editor is closing. ${NOTHING}`)
    this.#talk ??= this.#begin().then(
      talk => {
        talk.onEnd(() => {
          this.#talk = null
        })
        return talk
      },
      cause => {
        this.#talk = null
        throw cause
      },
    )
    return this.#talk
  }

  async #begin(): Promise<Conversation> {
    const { clock, ids, editor, places, hostAt } = this.#deps
    const { hostFile, localKeyFile } = await places().catch(cause => {
      throw noHost(`The product cannot be asked where it keeps its files: ${(cause as Error).message}`)
    })
    const there = hostAt(hostFile)
    if (there === null) throw noHost('No host runs.')

    const dialled = await dialPsk({
      host: '127.0.0.1',
      port: there.port,
      identity: 'local',
      key: keyOf(localKeyFile),
      timeoutMs: DIAL_MS,
      clock,
      signal: new AbortController().signal,
    }).catch(cause => {
      throw cause instanceof DialError ? noHost(`The host does not answer: ${cause.message}`) : cause
    })

    const hello = {
      type: 'hello',
      protocol_version: PROTOCOL_VERSION,
      capabilities: [],
      trace_id: ids.make('trace'),
      runtime_session_id: this.#session,
      client: { ...editor, pid: process.pid },
    } as const
    return greet(dialled, hello, clock)
  }
}

function keyOf(file: string): Buffer {
  try {
    return readKeyFile(file)
  } catch {
    throw noHost('No host has run here yet.')
  }
}

/** Fails closed: without a host there is nobody who could say that a line may be typed. */
const noHost = (why: string): TermError =>
  new TermError(
    'PM_TERM_GUI_UNAVAILABLE',
    `${why} Without a host nothing is typed into a terminal, and nothing was. A person has to start it: "interactive-terminal: Start the host" in the command palette of the editor.`,
    { details: { reason: 'no_host', hint: 'start_gui_app' } },
  )

type PermitReply = Extract<FromHost, { type: 'permit_answered' | 'permit_used' }>

/** A link on which both sides have said hello. */
class Conversation {
  readonly #link: Link
  readonly #life = new Disposables()
  readonly #open = new Map<string, { resolve(reply: PermitReply): void; reject(cause: Error): void }>()
  #onEnd = () => {}

  constructor(link: Link, clock: Clock, intervalMs: number) {
    this.#link = link
    const alive = this.#life.add(keepAlive(link, { clock, intervalMs }))
    link.onFrame(raw => {
      alive.received()
      const frame = FromHost.safeParse(raw)
      if (frame.success) this.#hear(frame.data)
      else link.close('the host sent a frame we do not know')
    })
    link.onClose(why => {
      this.#life.dispose()
      for (const { reject } of this.#open.values()) reject(lost(why))
      this.#open.clear()
      this.#onEnd()
    })
  }

  onEnd(then: () => void): void {
    this.#onEnd = then
    if (!this.#link.open) then()
  }

  ask(frame: PermitRequest | PermitUse, signal: AbortSignal): Promise<PermitReply> {
    const { request_id, trace_id } = frame
    const life = new Disposables()
    return new Promise<PermitReply>((resolve, reject) => {
      this.#open.set(request_id, { resolve, reject })
      if (!this.#link.send({ ...frame, id: request_id })) return reject(lost('the link is closed'))
      life.add(onAbort(signal, () => this.#link.send({ type: 'cancel', id: request_id, request_id, trace_id })))
    }).finally(() => {
      life.dispose()
      this.#open.delete(request_id)
    })
  }

  /** What was asked and nobody answered is withdrawn by it. */
  end(reason: string): void {
    this.#link.send({ type: 'goodbye', reason })
    this.#link.close(reason)
  }

  #hear(frame: FromHost): void {
    if (!('request_id' in frame) || frame.request_id === undefined) {
      if (frame.type === 'error') this.#link.close(frame.error.message)
      return
    }
    const waiting = this.#open.get(frame.request_id)
    if (frame.type === 'permit_answered' || frame.type === 'permit_used') waiting?.resolve(frame)
    if (frame.type === 'error')
      waiting?.reject(new TermError(frame.error.code, frame.error.message, { details: frame.error.details }))
  }
}

const lost = (why: string): TermError =>
  new TermError('PM_TERM_DISCONNECTED', `The connection to the host ended (${why}). ${NOTHING} Ask anew.`, {
    details: { reason: 'host_gone' },
  })

function greet(link: Link, hello: object, clock: Clock): Promise<Conversation> {
  return new Promise((resolve, reject) => {
    const late = clock.after(HELLO_MS, () => link.close('no hello'))
    link.onClose(why => {
      late.dispose()
      reject(noHost(`The host ended the connection: ${why}.`))
    })
    link.onFrame(raw => {
      const frame = FromHost.safeParse(raw)
      if (!frame.success || frame.data.type === 'heartbeat') return
      late.dispose()
      if (frame.data.type === 'error') reject(noHost(frame.data.error.message))
      else if (frame.data.type !== 'hello_ack') reject(noHost('The host did not say hello.'))
      else if (frame.data.protocol_version !== PROTOCOL_VERSION) reject(otherVersion(frame.data.protocol_version))
      else return resolve(new Conversation(link, clock, frame.data.heartbeat_interval_ms))
      link.close('not greeted')
    })
    link.send(hello)
  })
}

const otherVersion = (theirs: number): TermError =>
  noHost(`The host speaks protocol version ${theirs}, this extension ${PROTOCOL_VERSION}. Update the older one.`)
