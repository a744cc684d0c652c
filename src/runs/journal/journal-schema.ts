import { statSync } from 'node:fs'
import { type JournalKind, VOUCHING_KINDS } from './journal-row.ts'
import type { Database } from './open-database.ts'

const listed = (kinds: readonly JournalKind[]): string => `kind IN (${kinds.map(kind => `'${kind}'`).join(', ')})`

/** Kinds of which one row is sought among many. All are rare, so that the index costs the other rows nothing. */
const SOUGHT = [
  'host_started',
  'host_ended',
  'pty_host_started',
  'passphrase_changed',
  'ledger_anchored',
  'taken_back',
  'rows_removed',
] as const satisfies JournalKind[]

/** Written as in the index, which is used only then: what a person decided is found however many requests came after it. */
export const VOUCHING = listed(VOUCHING_KINDS)

/** A kind as a query must name it: SQLite takes an index on some rows only for a query that says the same about them. */
export function kindIs(kind: JournalKind): string {
  return (SOUGHT as readonly string[]).includes(kind) ? `${listed(SOUGHT)} AND kind = '${kind}'` : `kind = '${kind}'`
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS journal (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, requester TEXT, run_id TEXT,
    body TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS journal_run ON journal (run_id);
  DROP INDEX IF EXISTS journal_kind;
  DROP INDEX IF EXISTS journal_sought;
  DROP INDEX IF EXISTS journal_kinds_sought;
  CREATE INDEX IF NOT EXISTS journal_rare ON journal (kind, seq) WHERE ${listed(SOUGHT)};
  CREATE INDEX IF NOT EXISTS journal_vouching ON journal (seq) WHERE ${VOUCHING};
  CREATE TRIGGER IF NOT EXISTS journal_keeps BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;
`

/** Only what the newest row says to have been removed goes, and in the same step. */
const STAYS = `
  CREATE TRIGGER journal_stays BEFORE DELETE ON journal
    WHEN NOT EXISTS (SELECT 1 FROM journal AS newest WHERE newest.seq = (SELECT max(seq) FROM journal)
      AND newest.kind = 'rows_removed' AND OLD.seq <= json_extract(newest.body, '$.last.seq'))
    BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;
`

/** Copying more than this would hold up the start of a host. */
const MOST_COPIED_BYTES = 256 * 1024 * 1024

/** Makes a new journal, or one of an earlier version what it is now. */
export function prepareJournal(database: Database, file: string): void {
  database.exec(SCHEMA)
  const stays = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'journal_stays'").get()
  if (!String(stays?.sql).includes('rows_removed')) database.exec(`DROP TRIGGER IF EXISTS journal_stays; ${STAYS}`)
  if (pragma(database, 'auto_vacuum') === INCREMENTAL || statSync(file).size > MOST_COPIED_BYTES) return
  try {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM')
  } catch {
    // Somebody else reads it. Until a later start its pages are used again, and the file stays as large as it is.
  }
}

const INCREMENTAL = 2

export const pragma = (database: Database, name: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])

/** What is in use of the file. */
export const usedBytes = (database: Database): number =>
  (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size')
