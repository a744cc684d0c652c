import { ListenedLink } from './listened-link.ts'

/** Two ends that send each other frames. What comes in is checked by whoever reads it. */
export interface Link {
  /** Who the other end has proved to be. */
  readonly identity: string
  /** A value both ends know and nobody else: what is signed over it counts on this link only. */
  readonly binding: string
  readonly open: boolean
  /**
   * False when the link is closed, or was closed now because the other end does not read. Soon: it need not be written by
   * itself, and goes with the next frame or a few milliseconds later.
   */
  send(frame: object, when?: 'now' | 'soon'): boolean
  /** Frames that came before anybody listened are kept and delivered first. One listener. */
  onFrame(listener: (frame: object) => void): void
  /** Called once; at once when it is closed already. */
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

class LocalEnd extends ListenedLink implements Link {
  readonly identity: string
  readonly binding = 'same-process'
  other: LocalEnd | null = null

  constructor(identity: string) {
    super(Number.POSITIVE_INFINITY)
    this.identity = identity
  }

  send(frame: object): boolean {
    if (!this.open) return false
    // Copied and sent later, as a socket would: nobody is called back while they still speak.
    const copy = structuredClone(frame)
    queueMicrotask(() => this.other?.receive(copy))
    return true
  }

  receive(frame: object): void {
    if (this.open) this.deliver(frame)
  }

  close(reason: string): void {
    if (!this.open) return
    this.end(reason)
    queueMicrotask(() => this.other?.close(reason))
  }
}
