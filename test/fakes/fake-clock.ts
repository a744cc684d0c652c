import type { Clock } from '../../src/base/clock.ts'

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  #time = 0
  readonly #timers = new Set<{ readonly at: number; readonly then: () => void }>()

  now(): number {
    return this.#time
  }

  elapsed(): number {
    return this.#time
  }

  after(ms: number, then: () => void): { dispose(): void } {
    const timer = { at: this.#time + Math.max(0, ms), then }
    this.#timers.add(timer)
    return { dispose: () => void this.#timers.delete(timer) }
  }

  /** Everything due within `ms` happens, in order, and what it sets off gets its turn. */
  async advance(ms: number): Promise<void> {
    const until = this.#time + ms
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#timers.delete(next)
      this.#time = next.at
      next.then()
      await idle()
    }
    this.#time = until
    await idle()
  }

  /** Timers that nobody has taken back. */
  get pending(): number {
    return this.#timers.size
  }
}

/** Lets everything that is ready to go on, go on. */
export const idle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
