import type { PtyCommand, PtyProcess } from '../../src/base/process/pty.ts'
import { OutputFollower } from '../../src/host/terminals/output-reader.ts'

/** Whoever looks on at a terminal, as the host does it: from the log, woken when it grows. */
export class LogFollower {
  readonly chunks: Buffer[] = []
  readonly #from: number
  readonly #follower: OutputFollower
  readonly #watchers = new Set<() => void>()
  next: number

  /** `most`: so many bytes are taken, and no more before `resume`. */
  constructor(pty: PtyProcess, { log: { directory } }: PtyCommand, most = Number.POSITIVE_INFINITY) {
    this.#from = pty.output.size
    this.next = this.#from
    const view = {
      source: () => ({ directory, size: pty.output.size, over: false }),
      watch: (watcher: () => void) => {
        this.#watchers.add(watcher)
        return { dispose: () => void this.#watchers.delete(watcher) }
      },
    }
    this.#follower = new OutputFollower(view, this.#from, ({ at, bytes }) => {
      if (at !== this.next) throw new Error(`${at} came after ${this.next}`)
      this.next += bytes.length
      this.chunks.push(bytes)
      return this.next - this.#from < most ? 'more' : 'wait'
    })
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks)
  }

  /** The terminal has printed more. */
  grown(): void {
    for (const watcher of this.#watchers) watcher()
  }

  resume(): void {
    for (let before = -1; before !== this.next; ) {
      before = this.next
      this.#follower.resume()
    }
  }
}
