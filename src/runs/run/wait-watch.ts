import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { InputWait } from '../../base/process/pty.ts'

/** What a running program waits for, as it was found last. */
export interface RunWait extends InputWait {
  /** Sure enough to end somebody's wait for it: it waits for nothing else, or has been silent for a while. */
  readonly settled: boolean
  /** Whoever asked for the run was told of this very wait. */
  readonly reported: boolean
}

/** Silent for this long: it may wait. */
const QUIET_MS = 120
/** Somebody is typing: what is shown of it is no news. */
const TYPING_MS = 3000
/** Silent for this long although it watches other things too: it waits. */
const SETTLED_MS = 2000
/** The next look comes later each time, and sooner again after more output. */
const FIRST_LOOK_MS = 250
const LAST_LOOK_MS = 2000

/** Looks whether a running program waits for input: when it has fallen silent, then a few times a second and less. */
export class WaitWatch implements Disposable {
  readonly #clock: Clock
  readonly #look: () => Promise<InputWait | null>
  readonly #onNews: () => void
  #now: RunWait | null = null
  #state: InputWait['state'] = 'none'
  #timer: Disposable = { dispose() {} }
  #nextMs = FIRST_LOOK_MS
  #grownAt: number
  #typedAt = Number.NEGATIVE_INFINITY
  /** Of what was printed: a look that began before more came says nothing about now. */
  #round = 0
  #looking = false
  #over = false

  constructor(clock: Clock, look: () => Promise<InputWait | null>, onNews: () => void) {
    this.#clock = clock
    this.#look = look
    this.#onNews = onNews
    this.#grownAt = clock.elapsed()
    this.#later(QUIET_MS)
  }

  /** Null: not known, because it has just printed something. */
  get now(): RunWait | null {
    return this.#now
  }

  /** What the last look has found, however much was typed or printed since. */
  get found(): InputWait['state'] {
    return this.#state
  }

  /** It has printed more. */
  grown(): void {
    this.#grownAt = this.#clock.elapsed()
    this.#again()
  }

  /** A person types there. */
  typed(): void {
    this.#typedAt = this.#clock.elapsed()
    this.#again()
  }

  markReported(): void {
    if (this.#now !== null) this.#now = { ...this.#now, reported: true }
  }

  /** Looks now, whatever was known. */
  async lookNow(): Promise<RunWait | null> {
    const report = this.#over ? null : await this.#look()
    if (report !== null && !this.#over) this.#found(report)
    return report && this.#now
  }

  dispose(): void {
    this.#over = true
    this.#now = null
    this.#timer.dispose()
  }

  #again(): void {
    this.#round += 1
    this.#nextMs = FIRST_LOOK_MS
    this.#now = null
    if (!this.#looking) this.#later(QUIET_MS)
  }

  #later(ms: number): void {
    this.#timer.dispose()
    if (!this.#over) this.#timer = this.#clock.after(ms, () => void this.#lookSoon())
  }

  /** Output that comes in a stream moves the look on, without a timer for each piece of it. */
  async #lookSoon(): Promise<void> {
    const now = this.#clock.elapsed()
    const wait = Math.max(this.#grownAt + QUIET_MS, this.#typedAt + TYPING_MS) - now
    if (wait > 0) return this.#later(wait)

    this.#looking = true
    const round = this.#round
    // Whoever owns the terminal may be gone: then there is nothing to say.
    const report = await this.#look().catch(() => null)
    this.#looking = false
    if (this.#over) return
    if (round !== this.#round) return this.#later(QUIET_MS)
    if (report !== null) this.#found(report)
    this.#later(Math.min(this.#nextMs, this.#untilSettled()))
    this.#nextMs = Math.min(LAST_LOOK_MS, this.#nextMs * 2)
  }

  /** Somebody may wait for the moment at which it is believed. */
  #untilSettled(): number {
    const waits = this.#now !== null && this.#now.state !== 'none' && !this.#now.settled
    return waits ? Math.max(0, this.#grownAt + SETTLED_MS - this.#clock.elapsed()) : Number.POSITIVE_INFINITY
  }

  #found(report: InputWait): void {
    const before = this.#now
    this.#state = report.state
    const settled = report.onlyInput || this.#clock.elapsed() - this.#grownAt >= SETTLED_MS
    const same = before !== null && before.state === report.state && before.program === report.program
    this.#now = { ...report, settled, reported: same && before.reported }
    if (!same || before.settled !== settled) this.#onNews()
  }
}
