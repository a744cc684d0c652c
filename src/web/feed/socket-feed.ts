import type { FromWindow, ToWindow } from '../../contract/window/window-frames.ts'
import { readOutput } from '../../contract/window/window-output.ts'
import type { ProofOver } from '../../contract/window/window-proof.ts'
import type { Feed, FeedEnds } from './feed.ts'
import { type Credential, freshNonce, isHostProof, pageProof, sessionSecret } from './prove.ts'

export interface SocketFeedDeps extends FeedEnds {
  /** The secret to come back with, whenever there is a new one. */
  readonly keep: (credential: Credential) => void
}

const PROTOCOL_VERSION = 1
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5000
const SHUT =
  'The host that opened this window has ended, or admitted it too long ago. Nothing here counts any more: what was open was not answered here. Close it. The host opens a new window when somebody asks, or at “interactive-terminal”.'

/**
 * The one connection to the host: both prove themselves, then frames go both ways. Comes back by itself, with the secret of
 * the session, as long as the same host lives.
 */
export class SocketFeed implements Feed {
  readonly #deps: SocketFeedDeps
  #credential: Credential
  #socket: WebSocket | null = null
  #admitted = false
  /** Set once the host has proved itself. */
  #proofOver: ProofOver | null = null
  #retryMs = FIRST_RETRY_MS
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #heardAt = 0

  constructor(deps: SocketFeedDeps, credential: Credential) {
    this.#deps = deps
    this.#credential = credential
  }

  open(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/feed`)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    this.#proofOver = null
    const pageNonce = freshNonce()
    socket.onopen = () => {
      const { kind, id } = this.#credential
      this.#write({
        type: 'window_hello',
        protocol_version: PROTOCOL_VERSION,
        credential: { kind, id },
        nonce: pageNonce,
      })
    }
    // One after the other: a frame that came after the challenge must not be looked at before its proof was.
    let line: Promise<void> = Promise.resolve()
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      this.#heardAt = this.#deps.now()
      if (this.#admitted) this.#receive(data)
      else line = line.then(() => this.#greet(data, pageNonce)).catch(() => this.#shut(NOT_THE_HOST))
    }
    socket.onclose = ({ code }) => this.#lost(socket, code)
  }

  /** False: there is nobody to hear it. */
  send(frame: FromWindow): boolean {
    if (!this.#admitted) return false
    this.#write(frame)
    return true
  }

  close(): void {
    this.send({ type: 'detach' })
    this.#shut('This window was closed.')
  }

  async #greet(data: string | ArrayBuffer, pageNonce: string): Promise<void> {
    if (typeof data !== 'string' || this.#admitted) return this.#receive(data)
    const frame = JSON.parse(data) as ToWindow
    switch (frame.type) {
      case 'window_challenge': {
        const over = {
          credentialId: this.#credential.id,
          pageNonce,
          hostNonce: frame.nonce,
          origin: location.origin,
        }
        if (!(await isHostProof(this.#credential, over, frame.proof))) return this.#shut(NOT_THE_HOST)
        this.#proofOver = over
        this.#write({ type: 'window_prove', proof: await pageProof(this.#credential, over) })
        return
      }

      case 'admitted': {
        // Nobody is the host before it has proved it.
        if (!this.#proofOver) return this.#shut(NOT_THE_HOST)
        const secret = await sessionSecret(this.#credential, this.#proofOver)
        this.#credential = { kind: 'session', id: frame.approver_id, secret }
        this.#proofOver = null
        this.#admitted = true
        this.#retryMs = FIRST_RETRY_MS
        this.#deps.keep(this.#credential)
        this.#beat(frame.heartbeat_interval_ms)
        this.#deps.frame(frame)
        return
      }

      case 'refused':
        // Whoever has not proved to be the host puts no words on this screen.
        return this.#shut(this.#proofOver ? frame.reason : SHUT)
      default:
        return
    }
  }

  #receive(data: string | ArrayBuffer): void {
    if (typeof data === 'string') {
      const frame = JSON.parse(data) as ToWindow
      if (frame.type === 'refused') this.#shut(frame.reason)
      else if (frame.type !== 'heartbeat') this.#deps.frame(frame)
      return
    }
    const piece = readOutput(data)
    if (piece) this.#deps.output(piece)
  }

  #beat(everyMs: number): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = setInterval(() => {
      this.send({ type: 'heartbeat' })
      // Three silent beats, not one: a laptop waking from sleep always misses the first.
      if (this.#deps.now() - this.#heardAt > 4 * everyMs) this.#socket?.close()
    }, everyMs)
  }

  #lost(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return
    clearInterval(this.#heartbeat)
    this.#socket = null
    const wasIn = this.#admitted
    this.#admitted = false
    if (code === REFUSED || (!wasIn && this.#credential.kind === 'ticket')) {
      this.#shut(SHUT)
      return
    }
    if (wasIn) this.#deps.link({ at: 'lost', since: this.#deps.now() })
    setTimeout(() => this.open(), this.#retryMs)
    this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2)
  }

  #shut(why: string): void {
    const socket = this.#socket
    this.#socket = null
    this.#admitted = false
    clearInterval(this.#heartbeat)
    socket?.close()
    this.#deps.link({ at: 'shut', why })
  }

  #write(frame: FromWindow): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }
}

const NOT_THE_HOST = 'What answers here is not the host that opened this window. Nothing was sent to it.'
/** A close that no retry can change: policy violation. */
const REFUSED = 1008
