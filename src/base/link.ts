/** Two ends that send each other frames. What comes in is checked by whoever reads it. */
export interface Link {
  /** Who the other end has proved to be. */
  readonly identity: string
  /** A value both ends know and nobody else: what is signed over it counts on this link only. */
  readonly binding: string
  readonly open: boolean
  /** False when the link is closed, or was closed now because the other end does not read. */
  send(frame: object): boolean
  /** Frames that came before anybody listened are kept and told first. One listener. */
  onFrame(listener: (frame: object) => void): void
  /** Told once; at once when it is closed already. */
  onClose(listener: (reason: string) => void): void
  /** What was sent before still goes out. */
  close(reason: string): void
}

/** Both ends in one process: what the host's own terminal speaks with it. */
export function linkPair(identity: string): readonly [Link, Link] {
  const ends = [new LocalEnd(identity), new LocalEnd(identity)] as const
  ends[0].other = ends[1]
  ends[1].other = ends[0]
  return ends
}

class LocalEnd implements Link {
  readonly identity: string
  readonly binding = 'same-process'
  other: LocalEnd | null = null
  #closed: string | null = null
  #early: object[] = []
  #listener: ((frame: object) => void) | null = null
  readonly #closers: ((reason: string) => void)[] = []

  constructor(identity: string) {
    this.identity = identity
  }

  get open(): boolean {
    return this.#closed === null
  }

  send(frame: object): boolean {
    if (!this.open) return false
    // Copied and sent later, as a socket would: nobody is called back while he still speaks.
    const copy = structuredClone(frame)
    queueMicrotask(() => this.other?.receive(copy))
    return true
  }

  receive(frame: object): void {
    if (!this.open) return
    if (this.#listener) this.#listener(frame)
    else this.#early.push(frame)
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

  close(reason: string): void {
    if (this.#closed !== null) return
    this.#closed = reason
    for (const listener of this.#closers) listener(reason)
    queueMicrotask(() => this.other?.close(reason))
  }
}
