import { chmodSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from '../../base/atomic-file.ts'
import type { LedgerAnchor } from '../store/verify-ledgers.ts'
import { JournalHead, NO_ROW, type RowMark } from './journal-head.ts'
import {
  asRow,
  decidedIn,
  hashOf,
  type JournalEntry,
  type JournalKind,
  type JournalRow,
  type StoredRow,
} from './journal-row.ts'
import { kindIs, prepareJournal, VOUCHING } from './journal-schema.ts'
import { type JournalAround, JournalWriter, LONGEST_WAIT_MS } from './journal-writer.ts'
import { type Database, openDatabase, type Prepare, preparedOnce } from './open-database.ts'
import type { RemovalKey } from './removal-seal.ts'
import { type ShortenBy, shortenJournal } from './shorten-journal.ts'
import { type Finding, missingAtEnd, type Verification, verifyJournal } from './verify-journal.ts'

/**
 * `onProblem`: called when rows that were to be written soon could not be. They wait for the next row. `patienceMs`: how long a write
 * waits for another program; a host has others to serve meanwhile.
 */
export async function openJournal(
  file: string,
  now: () => number,
  onProblem: (cause: unknown) => void = () => {},
  patienceMs = LONGEST_WAIT_MS,
): Promise<Journal> {
  privateDirectory(dirname(file))
  return journalIn(await openDatabase(file, { readonly: false }), file, { now, onProblem, patienceMs })
}

export function journalIn(
  database: Database,
  file: string,
  { now, onProblem, patienceMs }: Omit<JournalAround, 'isThere'>,
): Journal {
  chmodSync(file, 0o600)
  prepareJournal(database, file)
  const { ino } = statSync(file)
  const isThere = () => statSync(file, { throwIfNoEntry: false })?.ino === ino
  database.exec(`PRAGMA busy_timeout = ${patienceMs}`)
  return new Journal(database, new JournalHead(headFile(file)), { now, onProblem, isThere, patienceMs })
}

/** For looking only: `verify` and `runs`. */
export async function readJournal(file: string): Promise<Journal> {
  return new Journal(await openDatabase(file, { readonly: true }), new JournalHead(headFile(file)), {
    now: () => 0,
    onProblem: () => {},
    isThere: () => true,
    patienceMs: LONGEST_WAIT_MS,
  })
}

/** Where the newest row's number and hash are kept. */
export const headFile = (journalFile: string): string => journalFile.replace(/(\.db)?$/, '.head')

/**
 * What was asked, judged, answered, started and ended, in order, each row written before the effect it records. A row
 * carries the hash of the one before, so that a changed or missing row shows; `journal.head` beside it knows the newest, so
 * that missing last rows show as well. Values of variables are never in it.
 */
export class Journal {
  readonly #database: Database
  readonly #head: JournalHead
  readonly #writer: JournalWriter
  readonly #prepared: Prepare

  constructor(database: Database, head: JournalHead, around: JournalAround) {
    this.#database = database
    this.#head = head
    this.#prepared = preparedOnce(database)
    this.#writer = new JournalWriter(database, head, around)
  }

  /** Throws when it cannot be written: then the effect must not happen. */
  append(entry: JournalEntry): void {
    this.#writer.append(entry)
  }

  /** For what has no effect by itself: written with what follows it, and never later than that. */
  appendSoon(entry: JournalEntry): void {
    this.#writer.appendSoon(entry)
  }

  /** For what tells of something that has happened: written with the next row, or a tenth of a second later. */
  appendLater(entry: JournalEntry): void {
    this.#writer.appendLater(entry)
  }

  /** What this requester asked for under this id before: the same again is the same run. Asked for each request, so no end is written for it. */
  received(requester: string, runId: string): { readonly payloadHash: string } | null {
    this.#writer.flushDue()
    const row = this.#prepared(
      "SELECT body FROM journal WHERE run_id = ? AND requester = ? AND kind = 'received' LIMIT 1",
    ).get(runId, requester) as { body: string } | undefined
    return row ? { payloadHash: String((JSON.parse(row.body) as { payload_hash?: unknown }).payload_hash) } : null
  }

  rowsOf(runId: string): JournalRow[] {
    this.#writer.flush()
    return this.#database.prepare('SELECT * FROM journal WHERE run_id = ? ORDER BY seq').all(runId).map(asRow)
  }

  /** The newest line of each ledger that a host has seen. */
  anchors(): LedgerAnchor[] {
    this.#writer.flush()
    const newest = new Map<string, LedgerAnchor>()
    for (const each of this.#database
      .prepare(`SELECT body FROM journal WHERE ${kindIs('ledger_anchored')} ORDER BY seq`)
      .all()) {
      const anchor = JSON.parse((each as { body: string }).body) as LedgerAnchor
      newest.set(anchor.ledger, anchor)
    }
    return [...newest.values()]
  }

  /** The newest row that says which decisions of a person counted, and when all was in order (ADR 44); null: none does. */
  vouching(): { readonly decided: string } | null {
    this.#writer.flush()
    const row = this.#database
      .prepare(
        `SELECT * FROM journal WHERE ${VOUCHING} AND json_extract(body, '$.decided') IS NOT NULL
         ORDER BY seq DESC LIMIT 1`,
      )
      .get() as StoredRow | undefined
    const decided = row ? decidedIn(row) : null
    // A row that was changed vouches for nothing, and neither does one before it.
    if (!row || decided === null || hashOf({ ...row, runId: row.run_id }) !== row.hash) return null
    return { decided }
  }

  /** Requests that have no end in it: they wait or run, or their host died. An earlier host that ended has said that there were none. */
  unended(): readonly { readonly requester: string; readonly runId: string }[] {
    this.#writer.flush()
    const settled = this.#database
      .prepare(
        `SELECT seq FROM journal WHERE ${kindIs('host_ended')} AND json_extract(body, '$.unended') = 0 ORDER BY seq DESC LIMIT 1`,
      )
      .get()
    return this.#database
      .prepare(
        `SELECT requester, run_id AS runId FROM journal AS r WHERE seq > ? AND kind IN ('received', 'taken_back') AND NOT EXISTS (
           SELECT 1 FROM journal WHERE run_id = r.run_id AND requester = r.requester AND kind = 'ended')
         GROUP BY requester, run_id ORDER BY min(seq)`,
      )
      .all(Number(settled?.seq ?? 0)) as { requester: string; runId: string }[]
  }

  /** The newest rows of one kind, newest first. */
  newest(kind: JournalKind, most: number): JournalRow[] {
    this.#writer.flush()
    return this.#database
      .prepare(`SELECT * FROM journal WHERE ${kindIs(kind)} ORDER BY seq DESC LIMIT ?`)
      .all(most)
      .map(asRow)
  }

  /** Rows of these kinds since then, newest first; `most`: how many rows of any kind are looked through. */
  since(
    at: number,
    kinds: readonly JournalKind[],
    most: number,
  ): { readonly rows: JournalRow[]; readonly isAll: boolean } {
    this.#writer.flush()
    const rows: JournalRow[] = []
    let looked = 0
    for (const each of this.#database.prepare('SELECT * FROM journal ORDER BY seq DESC LIMIT ?').iterate(most)) {
      const row = each as unknown as StoredRow
      if (row.at < at) return { rows, isAll: true }
      looked += 1
      if (kinds.includes(row.kind)) rows.push(asRow(row))
    }
    return { rows, isAll: looked < most }
  }

  /** `noted`: a row that somebody wrote down elsewhere. `key`: by which a removal of ours is known; null: no host was ever here. */
  verify(noted: RowMark | null = null, key: RemovalKey | null = null): Verification {
    this.#writer.flush()
    return verifyJournal(this.#database, this.#head.read(), { noted, key })
  }

  /** Removes what is too old or too much, and says so in a row. */
  async shorten(by: ShortenBy): Promise<void> {
    await shortenJournal({ database: this.#database, head: this.#head, writer: this.#writer }, by)
  }

  /** What is wrong with the newest rows: quickly, and to be written down before the next row hides it. */
  headFinding(): Finding {
    const head = this.#head.read()
    const row = (seq: number) =>
      this.#database.prepare('SELECT seq, hash FROM journal WHERE seq = ?').get(seq) as RowMark | undefined
    const { seq } = this.#database.prepare('SELECT coalesce(max(seq), 0) AS seq FROM journal').get() as { seq: number }
    const end = missingAtEnd(row(seq) ?? NO_ROW, head, null)
    if (end.journal_problem || typeof head === 'string') return end
    const other = [head.synced, head.last].find(
      mark => mark.seq > 0 && mark.seq <= seq && row(mark.seq)?.hash !== mark.hash,
    )
    return other ? { journal_problem: `another row ${other.seq} stood here before` } : end
  }

  /** Throws when the last rows cannot be written. */
  close(): void {
    try {
      this.#writer.close()
    } finally {
      this.#head.close()
      this.#database.close()
    }
  }
}
