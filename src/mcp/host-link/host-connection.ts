import type * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Link } from '../../base/link/link.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { FromHost, type Hello, type HelloAck, PROTOCOL_VERSION, type ToHost } from '../../contract/wire/host-frames.ts'
import { nobodyReached } from './lane.ts'

export type Acknowledged = z.output<typeof HelloAck>
/** A frame that answers a request of ours. */
export type HostReply = Exclude<FromHost, { type: 'hello_ack' | 'heartbeat' }>
export type HostRequest = Extract<ToHost, { request_id: string }>
/** What is sent to the host without an answer. */
export type HostNews = Extract<ToHost, { type: 'asker_gone' | 'asker_gone_on' }>

/** The link ended, or was never good: whoever waits on it gets the reason. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost'
}

// A laptop waking from sleep always misses the first beat, and often the second.
const SILENT_BEATS = 3

/**
 * A link to the host after both sides have said hello. Frames are handed to whoever asked under the same request id;
 * any frame counts as life, and a host that is silent for too long counts as gone.
 */
export class HostConnection implements Disposable {
  readonly ack: Acknowledged
  readonly #link: Link
  readonly #clock: Clock
  readonly #waiting = new Map<string, Set<(reply: HostReply) => void>>()
  readonly #lost = new Set<(reason: string) => void>()
  #timer: Disposable = { dispose() {} }
  #receivedAt: number
  #sentAt: number
  #closed: string | null = null

  constructor(link: Link, ack: Acknowledged, clock: Clock) {
    this.#link = link
    this.ack = ack
    this.#clock = clock
    this.#receivedAt = clock.elapsed()
    this.#sentAt = this.#receivedAt
    link.onFrame(frame => this.#receive(frame))
    link.onClose(reason => this.#end(reason))
    this.#beat()
  }

  get open(): boolean {
    return this.#closed === null
  }

  /** How long nothing was received from the host. */
  get silentMs(): number {
    return this.#clock.elapsed() - this.#receivedAt
  }

  /** Throws LinkLost when it cannot be sent any more. */
  send(frame: HostRequest | HostNews | { type: 'heartbeat' } | { type: 'goodbye'; reason?: string }): void {
    this.#sentAt = this.#clock.elapsed()
    const written = 'request_id' in frame ? { ...frame, id: frame.request_id } : frame
    if (!this.open || !this.#link.send(written)) throw new LinkLost(this.#closed ?? 'the link is closed')
  }

  onReply(requestId: string, listener: (reply: HostReply) => void): Disposable {
    const listeners = this.#waiting.get(requestId) ?? new Set()
    this.#waiting.set(requestId, listeners.add(listener))
    return {
      dispose: () => {
        listeners.delete(listener)
        if (listeners.size === 0 && this.#waiting.get(requestId) === listeners) this.#waiting.delete(requestId)
      },
    }
  }

  onLost(listener: (reason: string) => void): Disposable {
    if (this.#closed !== null) listener(this.#closed)
    else this.#lost.add(listener)
    return { dispose: () => this.#lost.delete(listener) }
  }

  /** An orderly end: what we asked and nobody answered is withdrawn. */
  goodbye(reason: string): void {
    if (this.open) this.#link.send({ type: 'goodbye', reason })
    this.#link.close(reason)
    this.#end(reason)
  }

  dispose(): void {
    this.#link.close('given up')
    this.#end('given up')
  }

  #receive(frame: object): void {
    this.#receivedAt = this.#clock.elapsed()
    const parsed = FromHost.safeParse(frame)
    const end = parsed.success ? endOf(parsed.data) : 'the host sent a frame we do not know'
    if (end !== null) this.#cut(end)
    else if (parsed.success && 'request_id' in parsed.data && parsed.data.request_id !== undefined)
      for (const listener of [...(this.#waiting.get(parsed.data.request_id) ?? [])]) listener(parsed.data as HostReply)
  }

  #beat(): void {
    const every = Math.max(50, this.ack.heartbeat_interval_ms)
    this.#timer = this.#clock.after(every, () => {
      if (!this.open) return
      if (this.silentMs > every * SILENT_BEATS) this.#cut('the host was silent for too long')
      else if (this.#clock.elapsed() - this.#sentAt >= every) this.#link.send({ type: 'heartbeat' })
      if (this.open) this.#beat()
    })
  }

  #cut(reason: string): void {
    this.#link.close(reason)
    this.#end(reason)
  }

  #end(reason: string): void {
    if (this.#closed !== null) return
    this.#closed = reason
    this.#timer.dispose()
    for (const listener of [...this.#lost]) listener(reason)
    this.#lost.clear()
  }
}

/** Why the host ends the conversation with this frame, or null when it does not. */
function endOf(frame: FromHost): string | null {
  return frame.type === 'error' && frame.request_id === undefined ? frame.error.message : null
}

/** Says hello and waits for the answer; a host that speaks another version is not spoken to. */
export function shakeHands(
  link: Link,
  hello: Omit<Hello, 'type' | 'protocol_version'>,
  { clock, withinMs }: { clock: Clock; withinMs: number },
): Promise<HostConnection> {
  return new Promise((resolve, reject) => {
    const life = new Disposables()
    const fail = (error: Error) => {
      // First the reason, then the end: closing reports a lost link as well.
      reject(error)
      life.dispose()
      link.close(error.message)
    }

    life.add(
      clock.after(withinMs, () =>
        fail(
          new TermError('PM_TERM_TIMEOUT', `The host did not answer within ${withinMs} ms. Nothing ran.`, {
            details: { phase: 'handshake', timeout_ms: withinMs },
          }),
        ),
      ),
    )

    link.onClose(reason => fail(new LinkLost(reason)))
    link.onFrame(frame => {
      const parsed = FromHost.safeParse(frame)
      const known = parsed.success ? parsed.data : null
      if (known?.type === 'hello_ack' && known.protocol_version === PROTOCOL_VERSION) {
        life.dispose()
        resolve(new HostConnection(link, known, clock))
      } else if (known?.type === 'hello_ack') fail(otherVersion(known.protocol_version))
      else if (known?.type === 'error') fail(refusedHello(known.error.message, known.error.details))
      else if (known?.type !== 'heartbeat') fail(new LinkLost('the host did not say hello'))
    })

    link.send({ type: 'hello', protocol_version: PROTOCOL_VERSION, ...hello })
  })
}

/** No second try can help: one of the two has to be updated. */
const otherVersion = (theirs: number): TermError =>
  nobodyReached(
    `The host speaks protocol version ${theirs}, this server ${PROTOCOL_VERSION}. Update the older one and start it again.`,
    { problem: 'protocol_version', protocol_version: { ours: PROTOCOL_VERSION, theirs } },
  )

const refusedHello = (message: string, details: Record<string, unknown>): TermError =>
  nobodyReached(`The host refused this server. ${message}`, { ...details, problem: 'refused_by_host' })
