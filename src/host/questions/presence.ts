import type { Clock } from '../../base/clock.ts'
import { until } from '../../base/until.ts'
import { Watchers } from '../../base/watchers.ts'

/** Who can be asked right now. Connected counts, also covered or minimised (docs/spec.md D22). */
export class Presence {
  readonly #clock: Clock
  readonly #approvers = new Map<string, string>()
  readonly #watchers = new Watchers()
  readonly #onUnattended = new Watchers()
  /** Why nobody could be called, in words that say what to do; null: nothing is known to be wrong. */
  problem: string | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get count(): number {
    return this.#approvers.size
  }

  get names(): string[] {
    return [...this.#approvers.values()]
  }

  add(id: string, name: string): void {
    this.#approvers.set(id, name)
    this.#watchers.notify()
  }

  remove(id: string): void {
    if (this.#approvers.delete(id)) this.#watchers.notify()
  }

  watch(watcher: () => void): { dispose(): void } {
    return this.#watchers.add(watcher)
  }

  /** Called whenever somebody is needed and nobody is there: whoever can call somebody does. */
  onUnattended(listener: () => void): { dispose(): void } {
    return this.#onUnattended.add(listener)
  }

  /** Somebody is needed now. */
  call(): void {
    if (this.count === 0) this.#onUnattended.notify()
  }

  /** True as soon as somebody is there; false when nobody came in time. */
  someone(withinMs: number, signal: AbortSignal): Promise<boolean> {
    this.call()
    return until(() => this.count > 0, this, { signal, late: { clock: this.#clock, ms: withinMs } })
  }
}
