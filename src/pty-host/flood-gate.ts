/**
 * Holds a terminal up while somebody who watches it cannot keep up. The log is no reason to wait: it is written as bytes
 * come, and without a watcher nothing is held up at all.
 */
export class FloodGate {
  readonly #terminal: { pause(): void; resume(): void }
  /** How far each watcher has got. */
  readonly #watchers = new Map<object, number>()
  #sent = 0
  #held = false

  constructor(terminal: { pause(): void; resume(): void }) {
    this.#terminal = terminal
  }

  get held(): boolean {
    return this.#held
  }

  enter(watcher: object, at: number): void {
    this.#watchers.set(watcher, at)
    this.#sent = at
  }

  leave(watcher: object): void {
    this.#watchers.delete(watcher)
    this.#look()
  }

  /** The end of what the watchers were sent. */
  sent(upTo: number): void {
    this.#sent = upTo
    this.#look()
  }

  acknowledged(watcher: object, upTo: number): void {
    const before = this.#watchers.get(watcher)
    if (before === undefined) return
    this.#watchers.set(watcher, Math.max(before, Math.min(upTo, this.#sent)))
    this.#look()
  }

  #look(): void {
    const slowest = Math.min(this.#sent, ...this.#watchers.values())
    const waiting = this.#sent - slowest
    if (!this.#held && waiting > HIGH_WATER) {
      this.#held = true
      this.#terminal.pause()
    } else if (this.#held && waiting < LOW_WATER) {
      this.#held = false
      this.#terminal.resume()
    }
  }
}

const HIGH_WATER = 256 * 1024
const LOW_WATER = 64 * 1024
