import { createHash } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { privateDirectory } from '../base/atomic-file.ts'
import { type Database, openDatabase } from './open-database.ts'

/**
 * What was asked, judged, answered, started and ended, in order, each row written before the effect it tells of. A row
 * carries the hash of the one before, so that a changed or missing row shows. Values of variables are never in it.
 */
export const JOURNAL_KINDS = [
  'host_started',
  'host_ended',
  'pty_host_started',
  'pty_host_lost',
  'received',
  'judged',
  'asked',
  'answered',
  'starting',
  'started',
  'taken_back',
  'ended',
  'rules_changed',
  'terminal_changed',
  'person_input',
  'approver_admitted',
  'approver_refused',
] as const
export type JournalKind = (typeof JOURNAL_KINDS)[number]

export interface JournalEntry {
  readonly kind: JournalKind
  readonly requester: string | null
  readonly runId: string | null
  readonly body: Readonly<Record<string, unknown>>
}

export interface JournalRow extends JournalEntry {
  readonly seq: number
  readonly at: number
  readonly prev: string
  readonly hash: string
}

export type Verification =
  | { readonly sound: true; readonly rows: number; readonly head: string }
  | { readonly sound: false; readonly seq: number; readonly problem: string }

const FIRST = '0'.repeat(64)
/** A person's word must survive a power cut; the rest may lose its last second. */
const SYNCED: readonly JournalKind[] = ['answered', 'rules_changed', 'approver_admitted']

export async function openJournal(file: string, now: () => number): Promise<Journal> {
  privateDirectory(dirname(file))
  const database = await openDatabase(file, { readonly: false })
  chmodSync(file, 0o600)
  database.exec(SCHEMA)
  return new Journal(database, now)
}

/** For looking only: `verify` and `runs`. */
export async function readJournal(file: string): Promise<Journal> {
  return new Journal(await openDatabase(file, { readonly: true }), () => 0)
}

export class Journal {
  readonly #database: Database
  readonly #now: () => number
  readonly #statements = new Map<string, ReturnType<Database['prepare']>>()

  constructor(database: Database, now: () => number) {
    this.#database = database
    this.#now = now
  }

  /** Throws when it cannot be written: then the effect must not happen. */
  append(entry: JournalEntry): void {
    const synced = SYNCED.includes(entry.kind)
    if (synced) this.#database.exec('PRAGMA synchronous = FULL')
    try {
      // Several processes write: the last row is read and the next one written as one step.
      this.#prepared('BEGIN IMMEDIATE').run()
      try {
        const last = this.#prepared('SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1').get() as
          | { seq: number; hash: string }
          | undefined
        const row = { ...entry, seq: (last?.seq ?? 0) + 1, at: this.#now(), prev: last?.hash ?? FIRST }
        const body = JSON.stringify(entry.body)
        this.#prepared(
          'INSERT INTO journal (seq, at, kind, requester, run_id, body, prev, hash) VALUES (?,?,?,?,?,?,?,?)',
        ).run(row.seq, row.at, row.kind, row.requester, row.runId, body, row.prev, hashOf({ ...row, body }))
        this.#prepared('COMMIT').run()
      } catch (cause) {
        this.#rollBack()
        throw cause
      }
    } finally {
      if (synced) this.#database.exec('PRAGMA synchronous = NORMAL')
    }
  }

  /** What this requester asked for under this id before: the same again is the same run. */
  received(requester: string, runId: string): { readonly payloadHash: string } | null {
    const row = this.#prepared(
      "SELECT body FROM journal WHERE run_id = ? AND requester = ? AND kind = 'received' LIMIT 1",
    ).get(runId, requester) as { body: string } | undefined
    return row ? { payloadHash: String((JSON.parse(row.body) as { payload_hash?: unknown }).payload_hash) } : null
  }

  rowsOf(runId: string): JournalRow[] {
    return this.#database.prepare('SELECT * FROM journal WHERE run_id = ? ORDER BY seq').all(runId).map(asRow)
  }

  /** The newest rows of one kind, newest first. */
  newest(kind: JournalKind, most: number): JournalRow[] {
    return this.#database
      .prepare('SELECT * FROM journal WHERE kind = ? ORDER BY seq DESC LIMIT ?')
      .all(kind, most)
      .map(asRow)
  }

  /** Goes through every row: is each what it was when it was written, and none missing in between? */
  verify(): Verification {
    let prev = FIRST
    let seq = 0
    for (const each of this.#database.prepare('SELECT * FROM journal ORDER BY seq').iterate()) {
      const stored = each as unknown as StoredRow
      if (stored.seq !== seq + 1) return { sound: false, seq: seq + 1, problem: 'the row is missing' }
      if (stored.prev !== prev) return { sound: false, seq: stored.seq, problem: 'it does not follow the row before' }
      if (hashOf({ ...stored, runId: stored.run_id }) !== stored.hash)
        return { sound: false, seq: stored.seq, problem: 'the row was changed' }
      prev = stored.hash
      seq = stored.seq
    }
    return { sound: true, rows: seq, head: prev }
  }

  close(): void {
    this.#database.close()
  }

  /** Each statement is read once: that costs more than running it. */
  #prepared(sql: string): ReturnType<Database['prepare']> {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // The failed statement has ended the transaction already.
    }
  }
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS journal (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, requester TEXT, run_id TEXT,
    body TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS journal_run ON journal (run_id);
  CREATE INDEX IF NOT EXISTS journal_kind ON journal (kind, seq);
  CREATE TRIGGER IF NOT EXISTS journal_keeps BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;
  CREATE TRIGGER IF NOT EXISTS journal_stays BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;
`

interface StoredRow {
  readonly seq: number
  readonly at: number
  readonly kind: JournalKind
  readonly requester: string | null
  readonly run_id: string | null
  readonly body: string
  readonly prev: string
  readonly hash: string
}

const asRow = (each: unknown): JournalRow => {
  const { run_id, body, ...row } = each as StoredRow
  return { ...row, runId: run_id, body: JSON.parse(body) as Record<string, unknown> }
}

function hashOf(row: Omit<JournalRow, 'hash' | 'body'> & { readonly body: string }): string {
  const { seq, at, kind, requester, runId, body, prev } = row
  return createHash('sha256')
    .update(JSON.stringify([seq, at, kind, requester, runId, body, prev]))
    .digest('hex')
}
