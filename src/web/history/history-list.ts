import { type ReadonlySignal, signal } from '@preact/signals'
import type { HistoryFilter, HistoryItem, HistoryShown } from '../../contract/window/history-frames.ts'

export const NO_FILTER: HistoryFilter = { lane: null, outcome: null, agent: '', project: '', command: '' }

export interface HistoryState {
  readonly filter: HistoryFilter
  readonly items: readonly HistoryItem[]
  /** How to ask for more; null: all that fit are here. */
  readonly next: string | null
  readonly looked: number
  /** shown: nothing is under way · looking: the host is asked · broken: it did not answer, or could not */
  readonly at: 'looking' | 'shown' | 'broken'
}

/** Null: the host did not answer, or could not. */
type Ask = (filter: HistoryFilter, after: string | null) => Promise<HistoryShown | null>

/** More than a screen shows: what is scrolled to is there already. */
const AHEAD = 200

/** The runs that fit, as far as somebody has scrolled. What the host found within its time may be few, or none: then it is asked again. */
export class HistoryList {
  readonly #ask: Ask
  readonly #state = signal<HistoryState>({ filter: NO_FILTER, items: [], next: null, looked: 0, at: 'shown' })
  /** Answers to an earlier list come too late. */
  #list = 0
  #wanted = AHEAD

  constructor(ask: Ask) {
    this.#ask = ask
  }

  get state(): ReadonlySignal<HistoryState> {
    return this.#state
  }

  /** From the newest on. What was here stays until the first answer. */
  show(filter: HistoryFilter): Promise<void> {
    this.#list += 1
    this.#wanted = AHEAD
    this.#state.value = { ...this.#state.value, filter, next: null, looked: 0, at: 'looking' }
    return this.#look(this.#list, 'anew')
  }

  /** Somebody has scrolled as far as this one. */
  reached(index: number): void {
    this.#wanted = Math.max(this.#wanted, index + AHEAD)
    const { at, next, items } = this.#state.value
    if (at === 'shown' && next !== null && items.length < this.#wanted) void this.#look(this.#list, 'on')
  }

  async #look(list: number, how: 'anew' | 'on'): Promise<void> {
    let after = how === 'anew' ? null : this.#state.value.next
    this.#state.value = { ...this.#state.value, at: 'looking' }
    for (let first = how === 'anew'; ; first = false) {
      const { filter } = this.#state.value
      const answer = await this.#ask(filter, after)
      if (list !== this.#list) return
      const now = this.#state.value
      if (answer === null) {
        this.#state.value = { ...now, at: 'broken' }
        return
      }

      const items = [...(first ? [] : now.items), ...answer.items]
      after = answer.next
      const isEnough = after === null || items.length >= this.#wanted
      const at = isEnough ? 'shown' : 'looking'
      this.#state.value = { filter, items, next: after, looked: now.looked + answer.looked, at }
      if (isEnough) return
    }
  }

  /** Nobody looks at it any more. */
  leave(): void {
    this.#list += 1
  }
}
