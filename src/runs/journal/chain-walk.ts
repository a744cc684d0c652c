import type { RemovedRange } from '../../contract/disk/removed-rows.ts'
import { NO_ROW, type RowMark } from './journal-head.ts'
import { hashOf, type StoredRow } from './journal-row.ts'

export interface BrokenLink {
  readonly seq: number
  readonly problem: string
}

/** Goes through rows in order: each is what it was, and follows the one before, or rows that retention has removed. */
export class ChainWalk {
  #last = NO_ROW
  readonly #ahead: Map<number, RemovedRange>

  constructor(removed: readonly RemovedRange[]) {
    this.#ahead = new Map(removed.map(range => [range.from, range]))
  }

  get last(): RowMark {
    return this.#last
  }

  /** Removed rows that lie ahead of where it is. */
  get ahead(): readonly RemovedRange[] {
    return [...this.#ahead.values()]
  }

  /** Says which removed rows were crossed on the way to this one, if any. */
  step(stored: StoredRow): { readonly crossed: RemovedRange | null } | BrokenLink {
    const { seq, prev, hash } = stored
    let before = this.#last
    const crossed = seq === before.seq + 1 ? null : (this.#ahead.get(before.seq + 1) ?? null)
    if (crossed) {
      if (crossed.prev !== before.hash)
        return { seq: crossed.from, problem: 'removed rows do not follow the row before' }
      before = { seq: crossed.to, hash: crossed.hash }
    }

    if (seq !== before.seq + 1) return { seq: before.seq + 1, problem: 'the row is missing' }
    if (prev !== before.hash) return { seq, problem: 'it does not follow the row before' }
    if (hashOf({ ...stored, runId: stored.run_id }) !== hash) return { seq, problem: 'the row was changed' }
    if (crossed) this.#ahead.delete(crossed.from)
    this.#last = { seq, hash }
    return { crossed }
  }
}
