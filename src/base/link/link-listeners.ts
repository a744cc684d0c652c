/** Who listens to one end of a link, and what came before anybody did. */
export class LinkListeners {
  readonly #mostEarly: number
  readonly #closers: ((reason: string) => void)[] = []
  #early: object[] = []
  #listener: ((frame: object) => void) | null = null
  #closed: string | null = null

  /** `mostEarly`: so many frames wait for a listener; more are let go. */
  constructor(mostEarly: number) {
    this.#mostEarly = mostEarly
  }

  get open(): boolean {
    return this.#closed === null
  }

  receive(frame: object): void {
    if (this.#listener) this.#listener(frame)
    else if (this.#early.length < this.#mostEarly) this.#early.push(frame)
  }

  onFrame(listener: (frame: object) => void): void {
    this.#listener = listener
    const early = this.#early
    this.#early = []
    for (const frame of early) listener(frame)
  }

  onClose(listener: (reason: string) => void): void {
    if (this.#closed !== null) listener(this.#closed)
    else this.#closers.push(listener)
  }

  /** Called once. */
  end(reason: string): void {
    if (this.#closed !== null) return
    this.#closed = reason
    for (const listener of this.#closers) listener(reason)
  }
}
