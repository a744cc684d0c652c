import type { Clock } from '../clock.ts'

/** How many frames may still come: so many at once, and so many more each second. */
export class FrameAllowance {
  readonly #clock: Clock
  readonly #limits: { readonly burst: number; readonly framesPerSecond: number }
  #left: number
  #countedAt: number

  constructor(clock: Clock, limits: { readonly burst: number; readonly framesPerSecond: number }) {
    this.#clock = clock
    this.#limits = limits
    this.#left = limits.burst
    this.#countedAt = clock.elapsed()
  }

  /** One more has come. False: that is too many. */
  take(): boolean {
    const now = this.#clock.elapsed()
    const earned = ((now - this.#countedAt) / 1000) * this.#limits.framesPerSecond
    this.#left = Math.min(this.#limits.burst, this.#left + earned) - 1
    this.#countedAt = now
    return this.#left >= 0
  }
}
