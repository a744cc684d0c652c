import type * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { Ids } from '../../base/ids.ts'
import { type KeptAlive, keepAlive } from '../../base/link/heartbeat.ts'
import type { Link } from '../../base/link/link.ts'
import { Watchers } from '../../base/watchers.ts'
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

const SHORTEST_BEAT_MS = 50

/**
 * A link to the host after both sides have said hello. Frames are handed to whoever asked under the same request id;
 * any frame counts as life, and a host that is silent for too long counts as gone.
 */
export class HostConnection implements Disposable {
  readonly ack: Acknowledged
  readonly #link: Link
  readonly #waiting = new Map<string, Set<(reply: HostReply) => void>>()
  readonly #lost = new Watchers<[reason: string]>()
  readonly #alive: KeptAlive
  #closed: string | null = null

  constructor(link: Link, ack: Acknowledged, clock: Clock) {
    this.#link = link
    this.ack = ack
    this.#alive = keepAlive(link, { clock, intervalMs: Math.max(SHORTEST_BEAT_MS, ack.heartbeat_interval_ms) })
    link.onFrame(frame => this.#receive(frame))
    link.onClose(reason => this.#end(reason))
  }

  get open(): boolean {
    return this.#closed === null
  }

  /** How long nothing was received from the host. */
  get silentMs(): number {
    return this.#alive.silentMs
  }

  /** Throws LinkLost when it cannot be sent any more. */
  send(frame: HostRequest | HostNews | { type: 'heartbeat' } | { type: 'goodbye'; reason?: string }): void {
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
    return this.#lost.add(listener)
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
    this.#alive.received()
    const parsed = FromHost.safeParse(frame)
    const end = parsed.success ? endOf(parsed.data) : 'the host sent a frame we do not know'
    if (end !== null) this.#cut(end)
    else if (parsed.success && 'request_id' in parsed.data && parsed.data.request_id !== undefined)
      for (const listener of [...(this.#waiting.get(parsed.data.request_id) ?? [])]) listener(parsed.data as HostReply)
  }

  #cut(reason: string): void {
    this.#link.close(reason)
    this.#end(reason)
  }

  #end(reason: string): void {
    if (this.#closed !== null) return
    this.#closed = reason
    this.#alive.dispose()
    this.#lost.notify(reason)
  }
}

/** Why the host ends the conversation with this frame, or null when it does not. */
function endOf(frame: FromHost): string | null {
  return frame.type === 'error' && frame.request_id === undefined ? frame.error.message : null
}

/** What a client says of itself first; a new session each time. */
export const helloFrom = (ids: Ids, client: NonNullable<Hello['client']>) => ({
  capabilities: [],
  trace_id: ids.make('trace'),
  runtime_session_id: ids.make('ses'),
  client,
})

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
