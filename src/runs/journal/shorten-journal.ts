import type { RemovedRange, RemovedRows } from '../../contract/disk/removed-rows.ts'
import { ChainWalk } from './chain-walk.ts'
import type { JournalHead } from './journal-head.ts'
import type { StoredRow } from './journal-row.ts'
import { pragma, usedBytes } from './journal-schema.ts'
import type { JournalWriter } from './journal-writer.ts'
import { NeededRows, type StillOpen } from './needed-rows.ts'
import type { Database } from './open-database.ts'
import { type RemovalKey, readRemoval, sealRemoval } from './removal-seal.ts'
import { foundBy, newestRemoval } from './verify-journal.ts'

export interface JournalLimits {
  readonly days: number
  readonly mb: number
}

export interface ShortenBy {
  readonly limits: JournalLimits
  readonly key: RemovalKey
  readonly now: () => number
  readonly open: () => StillOpen
  /** A ledger that was let go for its age: nobody compares it any more. */
  readonly isRetired: (ledger: string) => boolean
  /** Between two slices: others have their turn. False: this is the end of it. */
  readonly rest: () => Promise<boolean>
}

/** What can be looked at, hashed and removed in a few milliseconds. */
const SLICE_ROWS = 250
const SLICE_PAGES = 256
/** These stay, whatever the limits say and however wrong the clock is. */
const NEWEST_ROWS = 1000
/** Rows that are still needed stay where they are. With more of them among the old ones, no more is removed. */
const MOST_RANGES = 256
const DAY_MS = 86_400_000
const MB = 1024 * 1024

interface Parts {
  readonly database: Database
  readonly head: JournalHead
  readonly writer: JournalWriter
}

/**
 * Removes rows from the front that are too old, or too many, in short slices. Each slice is one transaction: the rows go and the row
 * that says so is written, or neither. Throws where the chain is broken: what is left of it is for a person to look at.
 */
export async function shortenJournal(parts: Parts, by: ShortenBy): Promise<void> {
  const { database, head, writer } = parts
  writer.flush()
  const claim = newestRemoval(database)
  const before = claim && readRemoval(claim.body, by.key)
  if (claim && !before) throw new Error(`row ${claim.seq} says that rows were removed, and no host has written that`)
  const known = head.read()
  // Who checks the end of the journal looks for that row.
  if (typeof known === 'string' || !isDue(parts, by, before)) return

  const shortening = new Shortening(parts, by, before, known.synced.seq)
  while (shortening.slice()) if (!(await by.rest())) return
  for (let free = freePages(database); free > 0; ) {
    database.exec(`PRAGMA incremental_vacuum(${SLICE_PAGES})`)
    const left = freePages(database)
    // A journal of an earlier version that was too large to be copied keeps them, and uses them again.
    if (left === free || !(await by.rest())) return
    free = left
  }
  // Only now does the file itself get smaller. Nobody waits for anybody here.
  database.exec('PRAGMA wal_checkpoint(PASSIVE)')
}

const freePages = (database: Database): number => pragma(database, 'freelist_count')

/** A day more than needed, so that there is something to do once a day and not with every look. */
function isDue({ database }: Parts, { limits, now }: ShortenBy, before: RemovedRows | null): boolean {
  if (usedBytes(database) > limits.mb * MB) return true
  const next = database.prepare('SELECT at FROM journal WHERE seq > ? ORDER BY seq LIMIT 1').get(before?.last.seq ?? 0)
  return next !== undefined && isBefore(Number(next.at), now() - (limits.days + 1) * DAY_MS, now())
}

/** A row of the future was written while the clock was wrong: it must not keep those behind it for ever. */
const isBefore = (at: number, time: number, now: number): boolean => at < time || at > now

class Shortening {
  readonly #parts: Parts
  readonly #by: ShortenBy
  readonly #walk: ChainWalk
  readonly #upTo: number
  readonly #needed: NeededRows
  #removed: RemovedRows
  /** Those that were crossed or removed, as far as it is. */
  #ranges: RemovedRange[] = []
  #because: RemovedRows['because'] = 'age'

  constructor(parts: Parts, by: ShortenBy, before: RemovedRows | null, synced: number) {
    this.#parts = parts
    this.#by = by
    this.#walk = new ChainWalk(before?.ranges ?? [])
    this.#removed = before ?? { ...NONE, limits: by.limits }
    this.#needed = new NeededRows(parts.database, by.open(), by.isRetired)
    const { last } = parts.database.prepare('SELECT max(seq) AS last FROM journal').get() as { last: number }
    this.#upTo = Math.min(synced, last - NEWEST_ROWS)
  }

  /** False: there is no more to remove. */
  slice(): boolean {
    const { database, writer } = this.#parts
    const oldest = this.#oldestKept()
    const rows = database
      .prepare('SELECT * FROM journal WHERE seq > ? AND seq < ? ORDER BY seq LIMIT ?')
      .all(this.#walk.last.seq, this.#upTo, SLICE_ROWS) as unknown as StoredRow[]
    const going: number[] = []
    let more = rows.length === SLICE_ROWS
    for (const row of rows) {
      if (!isBefore(row.at, oldest, this.#by.now()) || this.#ranges.length > MOST_RANGES) {
        more = false
        break
      }
      const step = this.#walk.step(row)
      if ('problem' in step) throw new Error(`nothing more is removed: at row ${step.seq}, ${step.problem}`)
      if (step.crossed) this.#add(step.crossed)
      if (this.#needed.has(row)) continue
      this.#remove(row)
      going.push(row.seq)
    }

    if (going.length === 0) return more
    const body = sealRemoval(this.#body(), this.#by.key)
    const remove = database.prepare('DELETE FROM journal WHERE seq = ?')
    writer.appendWith({ kind: 'rows_removed', requester: null, runId: null, body }, () => {
      for (const seq of going) remove.run(seq)
    })
    return more
  }

  /** Too old by its age; and of a journal that is too large also what is younger, though never what is of today. */
  #oldestKept(): number {
    const { limits, now } = this.#by
    const isLarge = usedBytes(this.#parts.database) > limits.mb * MB * (this.#because === 'size' ? 0.9 : 1)
    this.#because = isLarge ? 'size' : 'age'
    return now() - (isLarge ? 1 : limits.days) * DAY_MS
  }

  #remove(row: StoredRow): void {
    const { seq, at, prev, hash } = row
    this.#add({ from: seq, to: seq, prev, hash })
    const { rows, first_at, last_at, found, last } = this.#removed
    const { journal_problem, journal_gap } = foundBy(row)
    this.#removed = {
      ...this.#removed,
      last: seq > last.seq ? { seq, hash } : last,
      rows: rows + 1,
      first_at: Math.min(first_at, at),
      last_at: Math.max(last_at, at),
      found: {
        problem: found.problem ?? (journal_problem ? `at row ${seq} a host found: ${journal_problem}` : null),
        gaps: journal_gap
          ? [...found.gaps, `at row ${seq} a host found: ${journal_gap}`].slice(-MOST_GAPS)
          : found.gaps,
      },
    }
  }

  #add(range: RemovedRange): void {
    const last = this.#ranges.at(-1)
    if (last && last.to + 1 === range.from) this.#ranges.splice(-1, 1, { ...last, to: range.to, hash: range.hash })
    else this.#ranges.push(range)
  }

  #body(): RemovedRows {
    const { limits } = this.#by
    return { ...this.#removed, because: this.#because, limits, ranges: this.#joined() }
  }

  /** With what was removed before and lies ahead. */
  #joined(): RemovedRange[] {
    const [next, ...rest] = this.#walk.ahead
    const last = this.#ranges.at(-1)
    if (!next || !last || last.to + 1 !== next.from) return [...this.#ranges, ...this.#walk.ahead]
    return [...this.#ranges.slice(0, -1), { ...last, to: next.to, hash: next.hash }, ...rest]
  }
}

const MOST_GAPS = 20
const NONE = {
  last: { seq: 0, hash: '' },
  rows: 0,
  first_at: Number.MAX_SAFE_INTEGER,
  last_at: 0,
  because: 'age' as const,
  ranges: [],
  found: { problem: null, gaps: [] },
}
