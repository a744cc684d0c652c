import { databaseFault, JournalUnwritable } from './database-fault.ts'
import { type JournalHead, NO_ROW, type RowMark } from './journal-head.ts'
import { hashOf, type JournalEntry, type JournalKind } from './journal-row.ts'
import { type Database, type Prepare, preparedOnce } from './open-database.ts'

/** A person's word must survive a power cut; the rest may lose its last second. */
const SYNCED: readonly JournalKind[] = [
  'answered',
  'rules_changed',
  'pairing_changed',
  'program_changed',
  'approver_admitted',
  'host_started',
  'host_ended',
  'host_declared_here',
  'rows_removed',
]

const MOST_WAITING = 256
/** How long a row that tells of what has happened waits for a row to go with. */
const LATER_MS = 100
/** For whoever has nothing else to do. */
export const LONGEST_WAIT_MS = 5000

interface WaitingRow extends Omit<JournalEntry, 'body'> {
  readonly body: string
  readonly at: number
}

export interface JournalAround {
  readonly now: () => number
  readonly onProblem: (cause: unknown) => void
  /** Whether the file that was opened is still the journal: what is written to a removed one nobody will ever read. */
  readonly isThere: () => boolean
  /** How long a write may wait, with everything else, for another program that is writing. */
  readonly patienceMs: number
}

/** Writes rows, those of one moment as one step: a commit costs more than a row. */
export class JournalWriter {
  readonly #database: Database
  readonly #head: JournalHead
  readonly #now: () => number
  readonly #onProblem: (cause: unknown) => void
  readonly #isThere: () => boolean
  readonly #patienceMs: number
  readonly #prepared: Prepare
  #soon: WaitingRow[] = []
  #flushing: NodeJS.Immediate | null = null
  #flushingLater: NodeJS.Timeout | null = null
  /** Something waits that does so no longer than to the end of this turn, or that could not be written. */
  #due = false
  /** Another program held it for longer than that: it is tried at once or not at all, until it can be written again. */
  #held = false

  constructor(database: Database, head: JournalHead, around: JournalAround) {
    this.#database = database
    this.#prepared = preparedOnce(database)
    this.#head = head
    this.#now = around.now
    this.#onProblem = around.onProblem
    this.#isThere = around.isThere
    this.#patienceMs = around.patienceMs
  }

  /** Throws when it cannot be written: then the effect must not happen. What was to be written soon is written with it. */
  append(entry: JournalEntry): void {
    this.#write([this.#waiting(entry)])
  }

  /** Says what `act` does to the rows, and does it, as one step. */
  appendWith(entry: JournalEntry, act: () => void): void {
    this.#write([this.#waiting(entry)], act)
  }

  /**
   * For what has no effect by itself: written with the next row, or at the end of this turn of the loop, and in any case
   * before what follows it. Throws when too much could not be written already.
   */
  appendSoon(entry: JournalEntry): void {
    if (!this.#waits(entry)) return
    this.#due = true
    this.#flushing ??= setImmediate(() => {
      this.#flushing = null
      this.#tryFlush()
    })
  }

  /**
   * For what tells of something that has happened, and that nothing follows from: written with the next row, or a moment later.
   * Whoever reads here finds it at once. Throws when too much could not be written already.
   */
  appendLater(entry: JournalEntry): void {
    if (this.#waits(entry)) this.#flushingLater ??= setTimeout(() => this.#tryFlush(), LATER_MS).unref()
  }

  /** False: too much waits already, so it was written now. */
  #waits(entry: JournalEntry): boolean {
    const row = this.#waiting(entry)
    if (this.#soon.length < MOST_WAITING) return this.#soon.push(row) > 0
    this.#write([row])
    return false
  }

  #tryFlush(): void {
    try {
      this.flush()
    } catch (cause) {
      this.#onProblem(cause)
    }
  }

  #waiting({ kind, requester, runId, body }: JournalEntry): WaitingRow {
    return { kind, requester, runId, body: JSON.stringify(body), at: this.#now() }
  }

  /** All that waits and these, or none of them: rows that could not be written wait for the next try. */
  #write(more: readonly WaitingRow[], act: () => void = () => {}): void {
    const rows = [...this.#soon, ...more]
    this.#stopTimer()
    if (rows.length === 0) return
    // Until it is written.
    this.#due = true
    if (!this.#isThere())
      throw new JournalUnwritable('its file was removed or replaced while the host ran; restart the host')
    const synced = rows.some(({ kind }) => SYNCED.includes(kind))
    if (synced) this.#database.exec('PRAGMA synchronous = FULL')

    try {
      // Several processes write: the last row is read and the next ones written as one step.
      this.#begin()
      let last: RowMark
      try {
        last = this.#insert(rows)
        act()
        this.#prepared('COMMIT').run()
      } catch (cause) {
        this.#rollBack()
        throw cause
      }
      this.#soon = []
      this.#due = false
      this.#head.note(last, synced ? 'synced' : 'not_yet')
    } finally {
      if (synced) this.#database.exec('PRAGMA synchronous = NORMAL')
    }
  }

  #begin(): void {
    try {
      this.#prepared('BEGIN IMMEDIATE').run()
    } catch (cause) {
      if (databaseFault(cause) !== 'busy') throw cause
      if (!this.#held) this.#setPatience(0)
      this.#held = true
      throw new JournalUnwritable('another program holds it locked; end that, then try again', { cause })
    }
    if (this.#held) this.#setPatience(this.#patienceMs)
    this.#held = false
  }

  #setPatience(ms: number): void {
    this.#database.exec(`PRAGMA busy_timeout = ${ms}`)
  }

  /** Says which row is the last one now. */
  #insert(rows: readonly WaitingRow[]): RowMark {
    const found = this.#prepared('SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1').get() as RowMark | undefined
    let last = found ?? NO_ROW
    for (const row of rows) {
      const { kind, requester, runId, body, at } = row
      const seq = last.seq + 1
      const prev = last.hash
      const hash = hashOf({ ...row, seq, prev })
      this.#prepared(
        'INSERT INTO journal (seq, at, kind, requester, run_id, body, prev, hash) VALUES (?,?,?,?,?,?,?,?)',
      ).run(seq, at, kind, requester, runId, body, prev, hash)
      last = { seq, hash }
    }
    return last
  }

  /** What waits is there for whoever reads. */
  flush(): void {
    this.#write([])
  }

  /** What tells of an end may wait on. */
  flushDue(): void {
    if (this.#due) this.flush()
  }

  close(): void {
    if (this.#flushing) clearImmediate(this.#flushing)
    // The last chance for what waits.
    this.#setPatience(LONGEST_WAIT_MS)
    this.flush()
  }

  #stopTimer(): void {
    if (this.#flushingLater) clearTimeout(this.#flushingLater)
    this.#flushingLater = null
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // The failed statement has ended the transaction already.
    }
  }
}
