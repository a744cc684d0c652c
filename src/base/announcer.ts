import type { Clock } from './clock.ts'
import type { Disposable } from './disposable.ts'

/** Reports things that change often: the first time at once, then all that changed together, once in a while. */
export class Announcer<T> implements Disposable {
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #notify: (changed: readonly T[]) => void
  readonly #changed = new Set<T>()
  #announcedAt = Number.NEGATIVE_INFINITY
  #timer: Disposable | null = null

  constructor(clock: Clock, everyMs: number, notify: (changed: readonly T[]) => void) {
    this.#clock = clock
    this.#everyMs = everyMs
    this.#notify = notify
  }

  changed(thing: T): void {
    this.#changed.add(thing)
    if (this.#timer !== null) return
    const since = this.#clock.elapsed() - this.#announcedAt
    if (since >= this.#everyMs) this.#flush()
    else this.#timer = this.#clock.after(this.#everyMs - since, () => this.#flush())
  }

  /** It is reported elsewhere. */
  forget(thing: T): void {
    this.#changed.delete(thing)
  }

  dispose(): void {
    this.#timer?.dispose()
    this.#changed.clear()
  }

  #flush(): void {
    this.#timer = null
    if (this.#changed.size === 0) return
    this.#announcedAt = this.#clock.elapsed()
    const all = [...this.#changed]
    this.#changed.clear()
    this.#notify(all)
  }
}
