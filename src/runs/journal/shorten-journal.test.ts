import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SealedRemoval } from '../../contract/disk/removed-rows.ts'
import { headFile, type Journal, journalIn, openJournal, readJournal } from './journal.ts'
import type { JournalKind } from './journal-row.ts'
import { type Database, openDatabase } from './open-database.ts'
import { removalKey } from './removal-seal.ts'
import type { ShortenBy } from './shorten-journal.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 5, 1)
const KEY = removalKey(Buffer.alloc(32, 7))
const NONE = { askedSince: Number.POSITIVE_INFINITY, heldSince: Number.POSITIVE_INFINITY }

let directory: string
let file: string
let journal: Journal
let time: number

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'it-shorten-'))
  file = join(directory, 'state', 'journal.db')
  time = NOW - 200 * DAY_MS
  journal = await openJournal(file, () => time)
})
afterEach(() => {
  journal.close()
  rmSync(directory, { recursive: true, force: true })
})

const write = (kind: JournalKind, runId: string | null, body: Record<string, unknown> = {}) =>
  journal.appendSoon({ kind, requester: 'local', runId, body })

/** So many runs that are over, four rows each. */
function runs(count: number, prefix: string, body: Record<string, unknown> = {}): void {
  for (let i = 0; i < count; i++)
    for (const kind of ['received', 'judged', 'starting', 'ended'] as const) write(kind, `${prefix}${i}`, body)
}
/** What a host does today: rows that stay. */
function today(): void {
  time = NOW
  runs(300, 'new')
  journal.append({ kind: 'host_started', requester: null, runId: null, body: {} })
}

const by = (more: Partial<ShortenBy> = {}): ShortenBy => ({
  limits: { days: 90, mb: 200 },
  key: KEY,
  now: () => NOW,
  open: () => NONE,
  isRetired: () => false,
  rest: async () => true,
  ...more,
})
const verify = () => journal.verify(null, KEY)
const kindsOf = (runId: string) => journal.rowsOf(runId).map(({ kind }) => kind)

async function tamper(sql: string): Promise<void> {
  const database = await openDatabase(file, { readonly: false })
  database.exec('DROP TRIGGER journal_keeps; DROP TRIGGER journal_stays')
  database.exec(sql)
  database.close()
}

test('rows that are too old go from the front, one row says which, and the rest is sound', async () => {
  runs(500, 'old')
  today()
  await journal.shorten(by())
  const verified = verify()
  expect(verified).toMatchObject({
    sound: true,
    gaps: [],
    removed: { rows: 2000, first_at: NOW - 200 * DAY_MS, because: 'age', at: NOW, last: { seq: 2000 } },
  })
  expect([kindsOf('old7'), kindsOf('new7').length]).toEqual([[], 4])
})

test('with nothing too old nothing is written, and what becomes too old later is added to what went before', async () => {
  today()
  await journal.shorten(by())
  expect(verify()).toMatchObject({ sound: true, removed: null, head: { seq: 1201 } })
  for (const days of [100, 200]) {
    time = NOW + days * DAY_MS
    runs(300, `${days}-`)
    journal.append({ kind: 'host_started', requester: null, runId: null, body: {} })
    await journal.shorten(by({ now: () => time }))
  }
  // Of the first day all but what the last thousand rows hold back; then the row of the first removal among them.
  expect(verify()).toMatchObject({ sound: true, removed: { first_at: NOW, at: NOW + 200 * DAY_MS } })
  expect([kindsOf('new7'), kindsOf('100-7'), kindsOf('200-7').length]).toEqual([[], [], 4])
})

test('what is still needed stays where it is, and is not among what went', async () => {
  write('passphrase_changed', null, { record: null })
  runs(100, 'a')
  for (const kind of ['received', 'asked', 'answered', 'starting', 'started'] as const) write(kind, 'lives')
  write('ledger_anchored', null, { ledger: 'kept', seq: 1, hash: 'h' })
  write('ledger_anchored', null, { ledger: 'retired', seq: 1, hash: 'h' })
  runs(100, 'b')
  write('rules_changed', null, { decided: 'digest' })
  write('answered', 'held', { kind: 'approve', scope: { kind: 'session' } })
  write('answered', 'once', { kind: 'approve', scope: { kind: 'once' } })
  write('asked', 'open')
  runs(100, 'c')
  today()
  const open = { askedSince: NOW - 200 * DAY_MS, heldSince: NOW - 200 * DAY_MS }
  const isRetired = (ledger: string) => ledger === 'retired'
  await journal.shorten(by({ open: () => open, isRetired }))
  expect(['lives', 'held', 'once', 'open', 'a1', 'b1', 'c1'].map(kindsOf)).toEqual([
    ['received', 'asked', 'answered', 'starting', 'started'],
    ['answered'],
    [],
    ['asked'],
    [],
    [],
    [],
  ])
  expect(journal.anchors().map(({ ledger }) => ledger)).toEqual(['kept'])
  expect([journal.vouching()?.decided, journal.newest('passphrase_changed', 1).length]).toEqual(['digest', 1])
  expect(journal.unended()).toEqual([{ requester: 'local', runId: 'lives' }])
  expect(verify()).toMatchObject({ sound: true, removed: { rows: 1202 } })

  // Later nobody needs them any more.
  write('ended', 'lives')
  time = NOW + 2 * DAY_MS
  write('passphrase_changed', null, { record: null })
  runs(300, 'd')
  journal.append({ kind: 'host_started', requester: null, runId: null, body: {} })
  time = NOW + 95 * DAY_MS
  runs(300, 'e')
  journal.append({ kind: 'host_started', requester: null, runId: null, body: {} })
  await journal.shorten(by({ now: () => time }))
  expect([kindsOf('held'), kindsOf('open'), journal.vouching()?.decided]).toEqual([[], [], 'digest'])
  expect(verify()).toMatchObject({ sound: true })
})

test('a journal that is too large loses its oldest rows, though none of today, and its file gets smaller', async () => {
  const long = { command: 'x'.repeat(16_000) }
  time = NOW - 3 * DAY_MS
  runs(500, 'old', long)
  today()
  journal.close()
  const before = statSync(file).size
  journal = await openJournal(file, () => time)
  await journal.shorten(by({ limits: { days: 90, mb: 16 } }))
  expect(verify()).toMatchObject({ sound: true, removed: { because: 'size' } })
  journal.close()
  const after = statSync(file).size
  journal = await openJournal(file, () => time)
  expect(before).toBeGreaterThan(24 * 1024 * 1024)
  expect(after).toBeLessThan(16 * 1024 * 1024)
  expect(after).toBeGreaterThan(8 * 1024 * 1024)
  expect([kindsOf('old1').length, kindsOf('old499').length, kindsOf('new1').length]).toEqual([0, 4, 4])
})

test('a row that was written while the clock was ahead keeps nothing behind it', async () => {
  time = NOW + 1000 * DAY_MS
  write('judged', 'ahead')
  time = NOW - 200 * DAY_MS
  runs(10, 'old')
  today()
  await journal.shorten(by())
  expect([kindsOf('ahead'), kindsOf('old9')]).toEqual([[], []])
  expect(verify()).toMatchObject({ sound: true, removed: { rows: 41 } })
})

test('what hosts found wrong is not forgotten with the rows that say so', async () => {
  write('host_started', null, { journal_gap: 'row 9 is missing at the end' })
  runs(10, 'a')
  today()
  await journal.shorten(by())
  expect(verify()).toMatchObject({ sound: true, gaps: ['at row 1 a host found: row 9 is missing at the end'] })

  time = NOW + 10 * DAY_MS
  write('host_started', null, { journal_problem: 'it was bad' })
  time = NOW + 200 * DAY_MS
  runs(300, 'b')
  journal.append({ kind: 'host_started', requester: null, runId: null, body: {} })
  await journal.shorten(by({ now: () => time }))
  expect(kindsOf('new299')).toEqual([])
  expect(verify()).toMatchObject({ sound: false, problem: expect.stringContaining('a host found: it was bad') })
})

describe('after rows were removed', () => {
  beforeEach(async () => {
    runs(200, 'a')
    write('passphrase_changed', null)
    runs(200, 'b')
    today()
    await journal.shorten(by())
    expect(verify()).toMatchObject({ sound: true, removed: { rows: 1600 } })
  })

  test.each([
    ['a row taken out', 'DELETE FROM journal WHERE seq = 1700', 'the row is missing'],
    ['a needed row taken out', 'DELETE FROM journal WHERE seq = 801', 'the row is missing'],
    ['the first rows that are left taken out', 'DELETE FROM journal WHERE seq BETWEEN 1602 AND 1700', 'missing'],
    ['a changed row', "UPDATE journal SET body = '[]' WHERE seq = 1701", 'the row was changed'],
    ['a needed row changed', "UPDATE journal SET body = '[]' WHERE seq = 801", 'the row was changed'],
    ['the row that says what went, taken out', "DELETE FROM journal WHERE kind = 'rows_removed'", 'missing'],
    [
      'the row that says what went, changed',
      `UPDATE journal SET body = replace(body, '"rows":1600', '"rows":1599') WHERE kind = 'rows_removed'`,
      'no host has written that',
    ],
  ])('%s shows', async (_, sql, problem) => {
    await tamper(sql)
    expect(verify()).toMatchObject({ sound: false, problem: expect.stringContaining(problem) })
  })

  test('a removal that somebody else wrote down, in the right way but without the key of a host, shows', async () => {
    const own = SealedRemoval.parse(journal.newest('rows_removed', 1)[0]?.body)
    const rows = journal.rowsOf('new0')
    const [first, last] = [rows[0], rows.at(-1)]
    const ranges = [...own.ranges, { from: first?.seq, to: last?.seq, prev: first?.prev, hash: last?.hash }]
    write('rows_removed', null, { ...own, ranges, last: { seq: last?.seq, hash: last?.hash } })
    journal.rowsOf('new0')
    await tamper(`DELETE FROM journal WHERE run_id = 'new0'`)
    expect(verify()).toMatchObject({ sound: false, problem: expect.stringContaining('no host has written that') })
    await expect(journal.shorten(by())).rejects.toThrow('no host has written that')
  })

  test('an earlier removal written again does not hide what went since', async () => {
    const [own] = journal.newest('rows_removed', 1)
    await tamper('DELETE FROM journal WHERE seq = 1700')
    write('rows_removed', null, own?.body)
    expect(verify()).toMatchObject({ sound: false, seq: 1700 })
  })

  test('rows that were put back in their place show', async () => {
    await tamper(
      `INSERT INTO journal SELECT 1, at, kind, requester, run_id, body, prev, hash FROM journal WHERE seq = 1700`,
    )
    expect(verify()).toMatchObject({ sound: false })
  })

  test('without the key nobody can say who removed them', () => {
    expect(journal.verify()).toMatchObject({ sound: false, problem: expect.stringContaining('host.key') })
  })

  test('a row noted elsewhere that has gone cannot be compared, and that is said; the last that went can', () => {
    const [own] = journal.newest('rows_removed', 1)
    const last = own?.body.last as { seq: number; hash: string }
    const noted = (seq: number, hash: string) => journal.verify({ seq, hash }, KEY)
    expect(noted(5, '0'.repeat(64))).toMatchObject({ sound: true, gaps: [expect.stringContaining('row 5')] })
    expect(noted(last.seq, last.hash)).toMatchObject({ sound: true, gaps: [] })
    expect(noted(last.seq, '0'.repeat(64))).toMatchObject({ sound: false })
  })

  test('nobody removes a row by accident', async () => {
    const database = await openDatabase(file, { readonly: false })
    expect(() => database.exec('DELETE FROM journal')).toThrow(/only ever appended/)
    database.close()
  })
})

test('a broken chain is left as it is, for a person to look at', async () => {
  runs(500, 'old')
  today()
  await tamper("UPDATE journal SET body = '{}' || ' ' WHERE seq = 700")
  await expect(journal.shorten(by())).rejects.toThrow('at row 700, the row was changed')
  expect(verify()).toMatchObject({ sound: false, seq: 700 })
})

test('whenever the process is killed on the way, what is on disk is a sound journal', async () => {
  runs(150, 'a')
  write('passphrase_changed', null)
  runs(100, 'b')
  today()
  journal.close()
  const snapshots: string[] = []
  let isOn = false
  const snapshot = () => {
    if (!isOn) return
    const to = join(directory, `killed-${snapshots.length}`)
    mkdirSync(to)
    for (const each of [file, `${file}-wal`, headFile(file)])
      if (existsSync(each)) copyFileSync(each, join(to, basename(each)))
    snapshots.push(to)
  }
  const database = watched(await openDatabase(file, { readonly: false }), snapshot)
  journal = journalIn(database, file, { now: () => time, onProblem: () => {}, patienceMs: 100 })
  isOn = true
  await journal.shorten(by())
  isOn = false

  const seen = new Set<number>()
  for (const each of snapshots) {
    const killed = await readJournal(join(each, 'journal.db'))
    const verified = killed.verify(null, KEY)
    killed.close()
    expect(verified).toMatchObject({ sound: true })
    if (verified.sound) seen.add(verified.removed?.rows ?? 0)
  }
  // One of the rows stays: somebody needs it.
  expect([...seen]).toEqual([0, 250, 500, 749, 999, 1000])
}, 60_000)

/** Calls back after every statement that can write. */
function watched(database: Database, after: () => void): Database {
  let deletes = 0
  return new Proxy(database, {
    get(target, name) {
      const value = target[name as keyof Database] as unknown
      if (name === 'exec')
        return (sql: string) => {
          target.exec(sql)
          after()
        }
      if (name === 'prepare')
        return (sql: string) => {
          const statement = target.prepare(sql)
          return new Proxy(statement, {
            get(of, key) {
              const own = of[key as keyof typeof of] as unknown
              if (typeof own !== 'function') return own
              return (...args: unknown[]) => {
                const result = own.apply(of, args)
                // Each row that goes is a statement: one in a hundred of them is enough.
                if (key === 'run' && !(sql.startsWith('DELETE') && deletes++ % 100 !== 0)) after()
                return result
              }
            },
          })
        }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('others have their turn between two slices, and a removal that was broken off goes on with the next', async () => {
  runs(1500, 'old')
  today()
  let slices = 0
  const rest = async () => {
    slices += 1
    return slices < 10
  }
  await journal.shorten(by({ rest }))
  expect(slices).toBe(10)
  expect(verify()).toMatchObject({ sound: true, removed: { rows: 2500 } })
  await journal.shorten(by())
  expect(verify()).toMatchObject({ sound: true, removed: { rows: 6000 } })
})

test('a journal of an earlier version is kept short, too, and its file gets smaller', async () => {
  journal.close()
  rmSync(file)
  rmSync(headFile(file), { force: true })
  const old = await openDatabase(file, { readonly: false })
  old.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA journal_mode = WAL')
  old.exec(`CREATE TABLE journal (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, requester TEXT, run_id TEXT,
      body TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
    CREATE INDEX journal_kinds_sought ON journal (kind, seq) WHERE kind IN ('received');
    CREATE TRIGGER journal_stays BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is only ever appended to'); END;`)
  old.close()
  journal = await openJournal(file, () => time)
  runs(700, 'old', { command: 'x'.repeat(4000) })
  today()
  await journal.shorten(by())
  expect(verify()).toMatchObject({ sound: true, removed: { rows: 2800 } })
  journal.close()
  expect(statSync(file).size).toBeLessThan(4 * 1024 * 1024)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  journal = await openJournal(file, () => time)
})

test('without journal.head nothing is removed: nobody could tell what is missing', async () => {
  runs(500, 'old')
  today()
  const head = readFileSync(headFile(file))
  journal.close()
  rmSync(headFile(file))
  journal = await openJournal(file, () => time)
  await journal.shorten(by())
  expect(kindsOf('old1')).toHaveLength(4)
  writeFileSync(headFile(file), head)
})
