import type { FromWindow, ToWindow } from '../../contract/window/window-frames.ts'

type PendingRequest = Extract<FromWindow, { request_id: string }>
type Without<T> = T extends unknown ? Omit<T, 'request_id'> : never
export type Unnumbered = Without<PendingRequest>
/** A frame that answers a request. */
export type Reply = Extract<ToWindow, { request_id: string }>

/** What this page asked of the host and has not heard of yet. */
export class HostRequests {
  readonly #send: (frame: FromWindow) => boolean
  readonly #unheard: () => void
  readonly #waiting = new Map<string, (reply: Reply | null) => void>()
  #asked = 0

  constructor(send: (frame: FromWindow) => boolean, unheard: () => void) {
    this.#send = send
    this.#unheard = unheard
  }

  /** Null: there is no host to hear it, or the connection was lost before it answered. */
  ask(frame: Unnumbered): Promise<Reply | null> {
    const request_id = this.nextId()
    return new Promise(resolve => {
      this.#waiting.set(request_id, resolve)
      if (this.#send({ ...frame, request_id } as PendingRequest)) return
      this.#waiting.delete(request_id)
      this.#unheard()
      resolve(null)
    })
  }

  nextId(): string {
    this.#asked += 1
    return `w${this.#asked}`
  }

  reply(frame: Reply): void {
    this.#waiting.get(frame.request_id)?.(frame)
    this.#waiting.delete(frame.request_id)
  }

  /** The host that would have answered is another connection's now. */
  forget(): void {
    for (const resolve of this.#waiting.values()) resolve(null)
    this.#waiting.clear()
  }
}
