import { type ReadonlySignal, signal } from '@preact/signals'
import type { HistoryText } from '../../contract/window/history-frames.ts'

export interface OutputState {
  /** Where what is shown begins. */
  readonly from: number
  readonly pieces: readonly { readonly stream: 'stdout' | 'stderr'; readonly text: string }[]
  readonly next: number
  readonly size: number
  readonly lost: number
  readonly isOpen: boolean
  readonly at: 'reading' | 'shown' | 'broken'
}

type OutputRead = (from: number) => Promise<HistoryText | null>

/** More is not put on the clipboard at once. */
export const MOST_COPIED = 8 * 1024 * 1024

/** The output of one run, as far as it was read: a page, and more on demand. */
export class RunOutput {
  readonly #read: OutputRead
  readonly #state = signal<OutputState>({
    ...{ from: 0, pieces: [], next: 0, size: 0, lost: 0, isOpen: false, at: 'shown' },
  })
  #reading = 0

  constructor(read: OutputRead) {
    this.#read = read
  }

  get state(): ReadonlySignal<OutputState> {
    return this.#state
  }

  /** From here on, and nothing before it. */
  async show(from: number): Promise<void> {
    this.#state.value = { ...this.#state.value, from, next: from, pieces: [], lost: 0 }
    await this.more()
  }

  async more(): Promise<void> {
    this.#reading += 1
    const reading = this.#reading
    const before = this.#state.value
    this.#state.value = { ...before, at: 'reading' }
    const page = await this.#read(before.next)
    if (reading !== this.#reading) return
    if (page === null) {
      this.#state.value = { ...before, at: 'broken' }
      return
    }
    this.#state.value = {
      from: before.from,
      pieces: [...before.pieces, ...page.pieces],
      next: page.next,
      size: page.size,
      lost: before.lost + page.lost_bytes,
      isOpen: page.is_open,
      at: 'shown',
    }
  }

  /** All of it as text, read anew; `isAll`: false when there is more than is copied. Null: the host did not answer. */
  async copied(): Promise<{ readonly text: string; readonly isAll: boolean } | null> {
    const texts: string[] = []
    let length = 0
    for (let from = 0; ; ) {
      const page = await this.#read(from)
      if (page === null) return null
      const text = page.pieces.map(piece => piece.text).join('')
      texts.push(text)
      length += text.length
      if (page.next <= from || page.next >= page.size) return { text: texts.join(''), isAll: true }
      if (length > MOST_COPIED) return { text: texts.join(''), isAll: false }
      from = page.next
    }
  }
}
