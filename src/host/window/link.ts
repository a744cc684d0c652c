import type { WebSocket } from 'ws'
import type { Clock } from '../../base/clock.ts'
import { FrameAllowance } from '../../base/link/frame-allowance.ts'
import type { Link } from '../../base/link/link.ts'
import { ListenedLink } from '../../base/link/listened-link.ts'
import { LINGER_MS } from '../../base/link/tls-link.ts'
import { type OutputPiece, outputMessage } from '../../contract/window/window-output.ts'

export const LONGEST_MESSAGE = 1024 * 1024
const LIMITS = { burst: 1000, framesPerSecond: 500 }
const BACKLOG = 32 * 1024 * 1024
const DONE = 1000
/** Closed for good: the page does not try again. */
const REFUSED = 1008

/** A window's WebSocket as a link. What is no frame, comes too fast or is not read ends it. */
export class WebLink extends ListenedLink implements Link {
  readonly identity = 'window'
  /** A page cannot see the connection it speaks over; what stands for it is in the proofs (contract/window/window-proof.ts). */
  readonly binding = ''
  readonly mostUndrawn = 1024 * 1024
  readonly #socket: WebSocket
  readonly #clock: Clock
  readonly #allowance: FrameAllowance

  constructor(socket: WebSocket, clock: Clock) {
    super(LIMITS.burst)
    this.#socket = socket
    this.#clock = clock
    this.#allowance = new FrameAllowance(clock, LIMITS)
    socket.on('message', (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary))
    socket.on('error', cause => this.end(`the connection broke: ${cause.message}`))
    socket.on('close', () => this.end('the other end closed the connection'))
  }

  /** Bytes the other end has not taken yet. */
  get backlog(): number {
    return this.#socket.bufferedAmount
  }

  send(frame: object): boolean {
    return this.#write(JSON.stringify(frame))
  }

  sendOutput(piece: OutputPiece): void {
    this.#write(outputMessage(piece))
  }

  close(reason: string): void {
    this.#close(DONE, reason)
  }

  /** For good: a page that comes again with the same credential hears the same. */
  refuse(reason: string): void {
    this.send({ type: 'refused', reason })
    this.#close(REFUSED, reason)
  }

  #close(code: number, reason: string): void {
    if (!this.open) return
    this.#socket.close(code)
    this.#clock.after(LINGER_MS, () => this.#socket.terminate())
    this.end(reason)
  }

  #write(message: string | Uint8Array): boolean {
    if (!this.open) return false
    this.#socket.send(message)
    if (this.#socket.bufferedAmount <= BACKLOG) return true
    this.#cut('the other end does not read')
    return false
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!this.open) return
    const frame = isBinary ? null : parsed(data)
    if (frame === null) this.#cut('not our protocol')
    else if (!this.#allowance.take()) this.#cut('too many frames')
    else this.deliver(frame)
  }

  #cut(reason: string): void {
    this.#socket.terminate()
    this.end(reason)
  }
}

function parsed(data: Buffer): object | null {
  try {
    const frame: unknown = JSON.parse(data.toString('utf8'))
    return typeof frame === 'object' && frame !== null && !Array.isArray(frame) ? frame : null
  } catch {
    return null
  }
}
