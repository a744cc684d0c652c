import { breathe } from '../store/evict-runs.ts'
import type { Ledger, StoredRun } from '../store/ledger.ts'
import type { RunStore } from '../store/run-store.ts'

/** Of a ledger that few runs of a page come from, few are read. */
const FIRST_BATCH = 2
const LARGEST_BATCH = 64

/**
 * Every run of several stores, the newest first, one at a time: what was opened before the walk began and is still there. Only as much is
 * read as is asked for.
 */
export class RunWalk {
  readonly #stores: readonly RunStore[]
  #days: string[] | null = null
  #ledgers: LedgerWalk[] = []

  constructor(stores: readonly RunStore[]) {
    this.#stores = stores
  }

  /** null: that was all. */
  async next(): Promise<StoredRun | null> {
    for (;;) {
      const [first, ...others] = this.#ledgers.filter(({ head }) => head !== null)
      const newest = others.reduce((best, each) => (timeOf(each) > timeOf(best as LedgerWalk) ? each : best), first)
      const run = newest?.take()
      if (run) return run
      if (!(await this.#openDay())) return null
    }
  }

  /** The next day that has any; false: there is none. */
  async #openDay(): Promise<boolean> {
    this.#days ??= [...new Set(this.#stores.flatMap(store => store.days()))].sort()
    const day = this.#days.pop()
    if (day === undefined) return false
    this.#ledgers = []
    for (const ledger of this.#stores.flatMap(store => store.ofDay(day))) {
      await ledger.catchUp(breathe)
      this.#ledgers.push(new LedgerWalk(ledger))
    }
    return true
  }
}

const timeOf = ({ head }: LedgerWalk): number => head?.opened.at ?? 0

/** One ledger, from its end. A run that was opened later is not part of it. */
class LedgerWalk {
  readonly #ledger: Ledger
  #read: readonly StoredRun[] = []
  #at = 0
  #from: number | null = Number.POSITIVE_INFINITY
  #batch = FIRST_BATCH

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  get head(): StoredRun | null {
    while (this.#at >= this.#read.length && this.#from !== null) {
      const { runs, next } = this.#ledger.before(this.#from, this.#batch)
      this.#read = runs
      this.#at = 0
      this.#from = next
      this.#batch = Math.min(LARGEST_BATCH, this.#batch * 2)
    }
    return this.#read[this.#at] ?? null
  }

  take(): StoredRun | null {
    const { head } = this
    this.#at += 1
    return head
  }
}
