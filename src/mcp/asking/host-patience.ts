import type * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables, onAbort } from '../../base/disposable.ts'
import type { Settings } from '../../config/env.ts'
import type { Progress } from '../../contract/wire/host-frames.ts'
import type { ToolCall } from '../server/mcp-server.ts'

const PROGRESS_EVERY_MS = 5000

export interface PatienceLimits {
  /** Counts from the moment the command runs: a person may take as long as they like (docs/spec.md D5, D6). */
  readonly runningMs: number
  /** Counts from the start: by then the caller's own clock wants an answer. */
  readonly answerWithinMs: number
}

/** By when a call is answered whatever has become of it: as its client wants it, else as long as progress keeps it waiting. */
export const answerWithin = (
  { answerWithinMs, progress }: Pick<ToolCall, 'answerWithinMs' | 'progress'>,
  { PM_TERM_ANSWER_WITHIN_MS }: Pick<Settings, 'PM_TERM_ANSWER_WITHIN_MS'>,
): number => answerWithinMs ?? (progress ? Number.POSITIVE_INFINITY : PM_TERM_ANSWER_WITHIN_MS)

/** How long one call waits for the host, and what is reported to the caller meanwhile. */
export class HostPatience implements Disposable {
  readonly #call: Pick<ToolCall, 'signal' | 'progress'>
  readonly #clock: Clock
  readonly #limits: PatienceLimits
  readonly #over = new AbortController()
  readonly #life = new Disposables()
  readonly #began: number
  #last = 'waiting for the host'
  #reportedAt: number
  #running = false
  #ticker = { dispose() {} }

  constructor(call: Pick<ToolCall, 'signal' | 'progress'>, clock: Clock, limits: PatienceLimits) {
    this.#call = call
    this.#clock = clock
    this.#limits = limits
    this.#began = clock.elapsed()
    this.#reportedAt = this.#began
    this.#life.add(onAbort(call.signal, () => this.#over.abort()))
    this.#life.defer(() => this.#ticker.dispose())
    if (call.progress) this.#tick()
    this.#endAfter(limits.answerWithinMs)
  }

  /** Aborts when the call should answer, whatever has become of the run by then. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  received({ phase, message, wait_state }: Pick<z.output<typeof Progress>, 'phase' | 'message' | 'wait_state'>): void {
    this.#last = message
    this.#report(message)
    // Waiting on would be in vain: whoever called has to know what the program wants.
    if (wait_state !== undefined && wait_state !== 'none') this.#over.abort()
    if (phase !== 'running' || this.#running) return
    this.#running = true
    this.#endAfter(this.#limits.runningMs)
  }

  dispose(): void {
    this.#life.dispose()
  }

  #endAfter(ms: number): void {
    if (Number.isFinite(ms)) this.#life.add(this.#clock.after(ms, () => this.#over.abort()))
  }

  #report(message: string): void {
    this.#reportedAt = this.#clock.elapsed()
    this.#call.progress?.(this.#reportedAt - this.#began, message)
  }

  /** A host that says nothing for a while must not look like a dead server. */
  #tick(): void {
    this.#ticker = this.#clock.after(PROGRESS_EVERY_MS, () => {
      if (this.#clock.elapsed() - this.#reportedAt >= PROGRESS_EVERY_MS) this.#report(this.#last)
      this.#tick()
    })
  }
}
