/** One end of a link: who listens to it, and what came before anybody did. How it sends and receives is for each kind to say. */
export abstract class ListenedLink {
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

  protected deliver(frame: object): void {
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

  /** Counts once. */
  protected end(reason: string): void {
    if (this.#closed !== null) return
    this.#closed = reason
    for (const listener of this.#closers) listener(reason)
  }
}
