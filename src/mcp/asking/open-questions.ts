import type { Clock } from '../../base/clock.ts'

/** Calls that come closer together than this were made side by side. */
const SIDE_BY_SIDE_MS = 1000
const MOST_PER_SESSION = 64

/**
 * What each MCP session has asked a person and has no answer to. Some clients take a call back without a word: the person
 * presses Esc, the model goes on, and the question stays. That the same session calls again, clearly later and about something
 * else, is the one sign of it. It is a hint only: agents may work on several things at once.
 */
export class OpenQuestions {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #of = new Map<string, Map<string, number>>()

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  /** While nobody knows how it ended, the question may be one that its client has left behind. */
  async during<T>(
    session: string | null | undefined,
    requestId: string,
    converse: () => Promise<T | 'given_up'>,
  ): Promise<T | 'given_up'> {
    if (session === undefined || session === null) return converse()
    this.#asked(session, requestId)
    let reply: T | 'given_up' | null = null
    try {
      reply = await converse()
      return reply
    } finally {
      if (reply !== 'given_up') this.known(session, requestId)
    }
  }

  #asked(session: string, requestId: string): void {
    const open = this.#of.get(session) ?? new Map<string, number>()
    this.#of.set(session, open)
    if (open.size < MOST_PER_SESSION) open.set(requestId, this.#clock.elapsed())
  }

  /** Answered, withdrawn, or asked about by its id: whoever does that knows of it. */
  known(session: string, requestId: string): void {
    const open = this.#of.get(session)
    open?.delete(requestId)
    if (open?.size === 0) this.#of.delete(session)
  }

  /** A call about something else begins now: the questions that its session may have left behind. Each is reported once. */
  leftBehind(session: string): string[] {
    const open = this.#of.get(session)
    if (!open) return []
    const now = this.#clock.elapsed()
    const old = [...open].filter(([, askedAt]) => now - askedAt > SIDE_BY_SIDE_MS)
    for (const [id] of old) this.known(session, id)
    return old.map(([id]) => id)
  }

  gone(session: string): void {
    this.#of.delete(session)
  }
}
