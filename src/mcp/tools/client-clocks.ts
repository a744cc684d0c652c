import type { Settings } from '../../config/env.ts'
import { wantsItStopped } from '../host-link/cancellation.ts'
import type { ToolCall } from '../server/mcp-server.ts'

/** How long a client lets one call take, as measured (docs/clients.md), and whether progress makes it wait longer. */
interface ClientClock {
  readonly givesUpMs: number
  readonly isStretched: boolean
}

/** By how the client names itself. Those that wait for minutes, with or without progress, need no row. */
const MEASURED: readonly (readonly [RegExp, ClientClock])[] = [
  [/^continue/i, { givesUpMs: 60_000, isStretched: false }],
  [/^@?cline\b/i, { givesUpMs: 60_000, isStretched: false }],
  [/^opencode/i, { givesUpMs: 60_000, isStretched: true }],
  [/copilot/i, { givesUpMs: 180_000, isStretched: true }],
]

/** Answered after this part of its time: the answer has a way to go, and a busy machine is slow. */
const IN_TIME = 0.75
const LEAST_MS = 500

/**
 * By when a call has to be answered, with a handle if need be, so that its client does not give up first: as the person set it, as
 * the client was seen to do, or as it was measured.
 */
export class ClientClocks {
  readonly #settings: Pick<Settings, 'PM_TERM_ANSWER_WITHIN_MS' | 'PM_TERM_CLIENT_CLOCKS'>
  readonly #set: ReadonlyMap<string, number>
  readonly #seen = new Map<string, ClientClock>()

  constructor(settings: Pick<Settings, 'PM_TERM_ANSWER_WITHIN_MS' | 'PM_TERM_CLIENT_CLOCKS'>) {
    this.#settings = settings
    this.#set = new Map(clocksIn(settings.PM_TERM_CLIENT_CLOCKS))
  }

  timed(call: ToolCall): ToolCall {
    return { ...call, answerWithinMs: this.#answerWithin(call) }
  }

  /** The call took so long. A client that gave up because its time was over waits no longer for the next one either. */
  ended({ asker, signal, progress }: ToolCall, tookMs: number): void {
    if (asker === undefined || !signal.aborted || wantsItStopped(signal)) return
    const { name } = asker
    const before = this.#seen.get(name) ?? measured(name)
    this.#seen.set(name, {
      givesUpMs: Math.min(tookMs, this.#seen.get(name)?.givesUpMs ?? Number.POSITIVE_INFINITY),
      // It had progress and gave up nevertheless.
      isStretched: progress === undefined && (before?.isStretched ?? true),
    })
  }

  #answerWithin({ asker, progress }: ToolCall): number {
    const name = asker?.name ?? ''
    const set = this.#set.get(name)
    if (set !== undefined) return set
    const clock = this.#seen.get(name) ?? measured(name)
    const otherwise = progress ? Number.POSITIVE_INFINITY : this.#settings.PM_TERM_ANSWER_WITHIN_MS
    if (clock === undefined || (progress && clock.isStretched)) return otherwise
    return Math.min(otherwise, Math.max(LEAST_MS, clock.givesUpMs * IN_TIME))
  }
}

const measured = (name: string): ClientClock | undefined => MEASURED.find(([pattern]) => pattern.test(name))?.[1]

/** `name=ms` pairs; the setting's own check has seen to their form. */
const clocksIn = (text: string): [string, number][] =>
  text
    .split(',')
    .map(pair => pair.trim())
    .filter(pair => pair !== '')
    .map(pair => {
      const at = pair.lastIndexOf('=')
      return [pair.slice(0, at), Number(pair.slice(at + 1))]
    })
