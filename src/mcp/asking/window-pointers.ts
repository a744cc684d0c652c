import type * as z from 'zod'
import type { Settings } from '../../config/env.ts'
import type { Progress } from '../../contract/wire/host-frames.ts'
import type { ToolCall } from '../server/mcp-server.ts'
import type { PointerEnd } from '../server/window-pointer.ts'

/** Something that a person may have to answer. */
export interface WaitingQuestion {
  readonly session: string | null
  readonly requestId: string
  /** What waits, as a sentence begins: "A command". */
  readonly what: string
  /** Where the window of its host is; null: it has none. */
  readonly windowUrl: () => string | null
}

const MOST_REMEMBERED = 1000

/**
 * Points the person to the window through a client that can show an address, once for each question. It is no way to answer:
 * whatever the client makes of it, the question stays as it is (docs/adr/0068).
 */
export class WindowPointers {
  readonly #setting: Settings['PM_TERM_ELICITATION']
  readonly #pointed = new Set<string>()

  constructor({ PM_TERM_ELICITATION }: Pick<Settings, 'PM_TERM_ELICITATION'>) {
    this.#setting = PM_TERM_ELICITATION
  }

  /** While the host is asked. `converse` gets whom to tell how far that is. */
  async during<T>(
    { point }: Pick<ToolCall, 'point'>,
    question: WaitingQuestion,
    converse: (received: (progress: Pick<z.output<typeof Progress>, 'phase'>) => void) => Promise<T | 'given_up'>,
  ): Promise<T | 'given_up'> {
    let end: ((why: PointerEnd) => void) | null = null
    const over = (why: PointerEnd) => {
      end?.(why)
      end = null
    }

    let reply: T | 'given_up' = 'given_up'
    try {
      reply = await converse(({ phase }) => {
        if (phase === 'running') over('question_ended')
        else if (phase !== 'queued') end ??= this.#pointOut(point, question)
      })
      return reply
    } finally {
      over(reply === 'given_up' ? 'call_ended' : 'question_ended')
    }
  }

  #pointOut(point: ToolCall['point'], { session, requestId, what, windowUrl }: WaitingQuestion) {
    const key = `${session}\0${requestId}`
    const url = windowUrl()
    if (this.#setting === 'off' || !point || url === null || this.#pointed.has(key)) return null
    this.#pointed.add(key)
    for (const oldest of this.#pointed) {
      if (this.#pointed.size <= MOST_REMEMBERED) break
      this.#pointed.delete(oldest)
    }
    const message = `${what} waits for your answer in the window of Interactive Terminal; this message approves nothing.`
    return point({ id: requestId, url, message }).end
  }
}
