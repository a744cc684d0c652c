import type { TLSSocket } from 'node:tls'
import type { Clock } from '../clock.ts'
import type { Disposable } from '../disposable.ts'
import { FrameAllowance } from './frame-allowance.ts'
import type { Link } from './link.ts'
import { ListenedLink } from './listened-link.ts'
import { asLine, NdjsonReader } from './ndjson.ts'

/** What one link may cost. */
export interface LinkLimits {
  readonly longestFrame: number
  /** Frames that may come at once, and how many more each second. */
  readonly burst: number
  readonly framesPerSecond: number
  /** Bytes waiting for an end that does not read. */
  readonly backlog: number
}

export const LINK_LIMITS: LinkLimits = {
  longestFrame: 4 * 1024 * 1024,
  burst: 500,
  framesPerSecond: 200,
  backlog: 32 * 1024 * 1024,
}

/** An end that does not answer the goodbye must not hold the socket for ever. */
export const LINGER_MS = 2000
const SOON_MS = 15
const MOST_WAITING = 64 * 1024

/** A link over an authenticated TLS socket. Whatever is not a frame, comes too fast or is not read ends it. */
export class TlsLink extends ListenedLink implements Link {
  readonly identity: string
  readonly binding: string
  readonly #socket: TLSSocket
  readonly #limits: LinkLimits
  readonly #clock: Clock
  readonly #reader: NdjsonReader
  /** Frames for which the next one is waited a little. */
  #waiting = ''
  #timer: Disposable | null = null
  readonly #allowance: FrameAllowance

  constructor(socket: TLSSocket, options: { identity: string; limits: LinkLimits; clock: Clock }) {
    super(options.limits.burst)
    this.identity = options.identity
    this.binding = socket.exportKeyingMaterial(32, 'EXPORTER-interactive-terminal', Buffer.alloc(0)).toString('hex')
    this.#socket = socket
    this.#limits = options.limits
    this.#clock = options.clock
    this.#reader = new NdjsonReader(options.limits.longestFrame)
    this.#allowance = new FrameAllowance(options.clock, options.limits)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.once('error', cause => this.end(`the connection broke: ${cause.message}`))
    socket.once('close', () => this.end('the other end closed the connection'))
  }

  send(frame: object, when: 'now' | 'soon' = 'now'): boolean {
    if (!this.open) return false
    const line = asLine(frame)
    if (Buffer.byteLength(line) > this.#limits.longestFrame) throw new RangeError('the frame is too long to be sent')
    this.#waiting += line
    if (when === 'now' || this.#waiting.length > MOST_WAITING) return this.#write()
    this.#timer ??= this.#clock.after(SOON_MS, () => this.#write())
    return true
  }

  /** One write for all that waits: each would wake the other end by itself. */
  #write(): boolean {
    this.#timer?.dispose()
    this.#timer = null
    if (!this.open) return false
    const lines = this.#waiting
    this.#waiting = ''
    this.#socket.write(lines)
    if (this.#socket.writableLength > this.#limits.backlog) {
      this.#socket.destroy()
      this.end('the other end does not read')
      return false
    }
    return true
  }

  close(reason: string): void {
    if (!this.open) return
    if (this.#waiting !== '') this.#write()
    this.#socket.end()
    this.#clock.after(LINGER_MS, () => this.#socket.destroy())
    this.end(reason)
  }

  #receive(chunk: Buffer): void {
    if (!this.open) return
    const { frames, fault } = this.#reader.push(chunk)
    for (const frame of frames) {
      if (!this.#allowance.take()) this.#cut('too many frames')
      else this.deliver(frame)
      if (!this.open) return
    }
    if (fault !== null) this.#cut(fault)
  }

  #cut(reason: string): void {
    this.#socket.destroy()
    this.end(reason)
  }
}
