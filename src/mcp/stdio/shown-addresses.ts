import { elicitation, elicitationComplete, type PointToWindow, TAKEN_BACK } from '../server/window-pointer.ts'
import type { MessageId } from './plain-messages.ts'

/** Addresses that a client shows to its person for us, as the SDK would ask for it. What it replies is not read. */
export class ShownAddresses {
  readonly #write: (message: string) => void
  readonly #unanswered = new Set<MessageId>()
  #asked = 0

  constructor(write: (message: string) => void) {
    this.#write = write
  }

  readonly show: PointToWindow = pointer => {
    const id = `address-${++this.#asked}`
    this.#unanswered.add(id)
    this.#say({ ...elicitation(pointer), id })
    return {
      end: why => {
        if (this.#unanswered.delete(id))
          this.#say({ method: 'notifications/cancelled', params: { requestId: id, reason: TAKEN_BACK } })
        if (why === 'question_ended') this.#say(elicitationComplete(pointer))
      },
    }
  }

  /** Whether it was asked here, also when the reply is late. */
  has(id: MessageId): boolean {
    const [, number] = /^address-([1-9]\d{0,14})$/.exec(String(id)) ?? []
    return number !== undefined && Number(number) <= this.#asked
  }

  answered(id: MessageId): void {
    this.#unanswered.delete(id)
  }

  #say(message: object): void {
    this.#write(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }
}
