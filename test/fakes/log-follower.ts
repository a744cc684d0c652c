import { systemClock } from '../../src/base/clock.ts'
import type { PtyCommand, PtyProcess } from '../../src/base/process/pty.ts'
import { OutputStream } from '../../src/host/desk/output-stream.ts'

/** Whoever looks on at a terminal, as the host does it: from the log, woken when it grows. */
export class LogFollower {
  readonly #stream: OutputStream
  readonly #chunks: Buffer[] = []
  readonly #watchers = new Set<() => void>()
  next: number

  /** `most`: so many bytes are taken, and no more before `resume`. */
  constructor(pty: PtyProcess, { log: { directory } }: PtyCommand, most = Number.POSITIVE_INFINITY) {
    this.next = pty.output.size
    const view = {
      source: () => ({ directory, size: pty.output.size, over: false }),
      over: () => false,
      status: () => {
        throw new Error('it is never over here')
      },
      watch: (watcher: () => void) => {
        this.#watchers.add(watcher)
        return { dispose: () => void this.#watchers.delete(watcher) }
      },
    }
    const to = {
      open: true,
      mostUndrawn: most,
      send: () => {},
      sendOutput: ({ offset, bytes }: { offset: number; bytes: Uint8Array }) => {
        if (offset !== this.next) throw new Error(`${offset} came after ${this.next}`)
        this.next += bytes.length
        this.#chunks.push(Buffer.from(bytes))
      },
    }
    this.#stream = OutputStream.resume({ clock: systemClock, view, screen: null, stream: 1, to }, this.next)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  /** The terminal has printed more. */
  grown(): void {
    for (const watcher of this.#watchers) watcher()
  }

  /** Takes all that is there. */
  resume(): void {
    for (let before = -1; before !== this.next; ) {
      before = this.next
      this.#stream.ack(this.next)
    }
  }
}
