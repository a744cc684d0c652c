import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'

/** A socket, as far as it matters here. */
interface Connection {
  destroy(): unknown
  once(event: 'close', listener: () => void): unknown
}

interface Limits {
  /** Connections on which nobody has shown the token yet. */
  readonly unknown: number
  /** Connections of those who have. */
  readonly known: number
  /** How long somebody may take to show it. */
  readonly showWithinMs: number
}

/**
 * The connections of the HTTP listener, in two crowds that cannot crowd each other out: whoever has shown the token, and everybody
 * else. Of the others the one that has waited longest goes when one too many comes.
 */
export class HttpCrowd {
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #unknown = new Map<Connection, Disposable>()
  readonly #known = new Set<Connection>()

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock
    this.#limits = limits
  }

  enter(socket: Connection): void {
    const [oldest] = this.#unknown.size >= this.#limits.unknown ? this.#unknown.keys() : []
    oldest?.destroy()
    if (oldest) this.#leave(oldest)
    this.#unknown.set(
      socket,
      this.#clock.after(this.#limits.showWithinMs, () => socket.destroy()),
    )
    socket.once('close', () => this.#leave(socket))
  }

  /** The token was shown on it. False: so many have that there is no room for one more. */
  know(socket: Connection): boolean {
    if (this.#known.has(socket)) return true
    if (this.#known.size >= this.#limits.known) return false
    this.#unknown.get(socket)?.dispose()
    this.#unknown.delete(socket)
    this.#known.add(socket)
    return true
  }

  #leave(socket: Connection): void {
    this.#unknown.get(socket)?.dispose()
    this.#unknown.delete(socket)
    this.#known.delete(socket)
  }
}
