import type { EndedLine, OpenedLine, StartedLine } from '../../contract/disk/run-record.ts'
import type { Ledger } from './ledger.ts'

const MOST_UNWRITTEN = 1000
const SOON_MS = 20

/** What has happened and is not written down yet, in order: because it may share a write with what follows, or the disk is full. */
export class OverdueLines {
  readonly #waiting: { readonly ledger: Ledger; readonly line: StartedLine | EndedLine }[] = []
  /** One timer for all. */
  #timer: NodeJS.Timeout | null = null

  add(ledger: Ledger, line: StartedLine | EndedLine, when: 'now' | 'soon'): void {
    if (this.#waiting.length >= MOST_UNWRITTEN) this.#waiting.shift()
    this.#waiting.push({ ledger, line })
    if (when === 'now') this.try()
    else this.#soon()
  }

  /** Before the effect: what waits for this ledger goes with it, in one write. Throws when it cannot be written. */
  openWith(ledger: Ledger, line: OpenedLine): void {
    if (this.#waiting.some(each => each.ledger !== ledger)) this.#write()
    ledger.append(...this.#waiting.map(each => each.line), line)
    this.#waiting.length = 0
  }

  try(): void {
    try {
      this.#write()
    } catch {
      // Still no room. A server that ends before there is some leaves runs without an end, and the next one calls them lost.
    }
  }

  #soon(): void {
    if (this.#timer !== null) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.try()
    }, SOON_MS)
    this.#timer.unref()
  }

  #write(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const { ledger } = next
      const other = this.#waiting.findIndex(each => each.ledger !== ledger)
      const count = other < 0 ? this.#waiting.length : other
      ledger.append(...this.#waiting.slice(0, count).map(({ line }) => line))
      this.#waiting.splice(0, count)
    }
  }
}
