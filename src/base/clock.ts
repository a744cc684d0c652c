import type { Disposable } from './disposable.ts'

export interface Clock {
  /** Milliseconds since 1970: for records people read. Jumps when somebody sets the clock. */
  now(): number
  /** Milliseconds that only ever grow: for measuring how long something took. */
  elapsed(): number
  /** Calls back once after `ms`. Does not keep the process alive. */
  after(ms: number, then: () => void): Disposable
}

// Node's timers overflow above this and would fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(): the first touch of `performance` loads a good deal of Node.
  elapsed() {
    const [seconds, nanos] = process.hrtime()
    return seconds * 1e3 + nanos / 1e6
  },
  after(ms, then) {
    const timer = setTimeout(then, Math.min(Math.max(0, ms), LONGEST_TIMER_MS))
    timer.unref()
    return { dispose: () => clearTimeout(timer) }
  },
}
