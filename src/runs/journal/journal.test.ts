import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { headFile, type Journal, openJournal, readJournal } from './journal.ts'
import { VOUCHING_KINDS } from './journal-row.ts'
import { openDatabase } from './open-database.ts'

let directory: string
let file: string
let journal: Journal

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'it-journal-'))
  file = join(directory, 'state', 'journal.db')
  let time = 1000
  journal = await openJournal(file, () => time++)
})
afterEach(() => {
  journal.close()
  rmSync(directory, { recursive: true, force: true })
})

const receive = (runId: string, hash = 'h') =>
  journal.append({ kind: 'received', requester: 'local', runId, body: { payload_hash: hash } })

async function tamper(sql: string): Promise<void> {
  const database = await openDatabase(file, { readonly: false })
  database.exec('DROP TRIGGER journal_keeps; DROP TRIGGER journal_stays')
  database.exec(sql)
  database.close()
}

test('what was written can be verified', () => {
  receive('req_1')
  journal.append({ kind: 'answered', requester: 'local', runId: 'req_1', body: { by: 'person' } })
  expect(journal.verify()).toMatchObject({ sound: true, head: { seq: 2 }, gaps: [] })
})

test.each([
  ['a changed row', `UPDATE journal SET body = '{"payload_hash":"x"}' WHERE seq = 2`, 2, 'the row was changed'],
  ['a changed time', 'UPDATE journal SET at = 1 WHERE seq = 1', 1, 'the row was changed'],
  ['a row taken out', 'DELETE FROM journal WHERE seq = 2', 2, 'the row is missing'],
  ['a row with a hash of its own', `UPDATE journal SET prev = '00' WHERE seq = 3`, 3, 'it does not follow'],
])('%s shows', async (_, sql, seq, problem) => {
  for (const id of ['a', 'b', 'c']) receive(id)
  await tamper(sql)
  expect(journal.verify()).toEqual({ sound: false, seq, problem: expect.stringContaining(problem) })
})

const answer = (runId: string) =>
  journal.append({ kind: 'answered', requester: 'local', runId, body: { by: 'person' } })

test('rows taken from the end show, as soon as one of them is a person’s word', async () => {
  receive('a')
  answer('a')
  receive('b')
  answer('b')
  receive('c')
  await tamper('DELETE FROM journal WHERE seq >= 4')
  const gone = 'rows 4 to 5 are missing at the end'
  expect(journal.verify()).toEqual({ sound: false, seq: 4, problem: gone })
  expect(journal.headFinding()).toEqual({ journal_problem: gone })
})

test('rows after the last answer may go in a power cut: that is told, and is no proof of anything', async () => {
  answer('a')
  receive('b')
  await tamper('DELETE FROM journal WHERE seq = 2')
  const gap = 'row 2 is missing at the end, as after a power cut'
  expect([journal.verify(), journal.headFinding()]).toMatchObject([{ sound: true, gaps: [gap] }, { journal_gap: gap }])
})

test('rows taken from the end and replaced by others show', async () => {
  answer('a')
  answer('b')
  await tamper('DELETE FROM journal WHERE seq = 2')
  const head = readFileSync(headFile(file))
  answer('c')
  writeFileSync(headFile(file), head)
  expect([journal.verify(), journal.headFinding()]).toEqual([
    { sound: false, seq: 2, problem: 'another row stood here before' },
    { journal_problem: 'another row 2 stood here before' },
  ])
})

test('a host that starts on a shortened journal says so for good', async () => {
  answer('a')
  answer('b')
  await tamper('DELETE FROM journal WHERE seq = 2')
  journal.append({ kind: 'host_started', requester: null, runId: null, body: { ...journal.headFinding() } })
  answer('c')
  expect(journal.verify()).toEqual({
    sound: false,
    seq: 2,
    problem: 'a host found: row 2 is missing at the end',
  })
})

test.each([
  ['gone', () => rmSync(headFile(file)), 'journal.head is gone'],
  ['nonsense', () => writeFileSync(headFile(file), 'x'), 'journal.head cannot be read'],
])('without the second place nobody is told that all is well: it is %s', (_, spoil, problem) => {
  answer('a')
  spoil()
  expect(journal.verify()).toMatchObject({ sound: false, problem: expect.stringContaining(problem) })
})

test('who makes both places agree is found out by a row noted elsewhere', async () => {
  answer('a')
  const earlier = readFileSync(headFile(file))
  answer('b')
  const before = journal.verify()
  const noted = before.sound ? before.head : null
  await tamper('DELETE FROM journal WHERE seq = 2')
  writeFileSync(headFile(file), earlier)
  answer('c')
  expect([journal.verify(), journal.verify(noted)]).toMatchObject([
    { sound: true },
    { sound: false, seq: 2, problem: 'another row stood here before' },
  ])
})

test('nobody changes a row by accident', async () => {
  receive('a')
  const database = await openDatabase(file, { readonly: false })
  expect(() => database.exec('DELETE FROM journal')).toThrow(/only ever appended/)
  expect(() => database.exec('UPDATE journal SET at = 0')).toThrow(/only ever appended/)
  database.close()
})

test('an id is known to the one who used it, and to nobody else', () => {
  receive('req_1', 'hash')
  expect([journal.received('local', 'req_1'), journal.received('box', 'req_1')]).toEqual([
    { payloadHash: 'hash' },
    null,
  ])
})

test('two writers at once keep one chain', async () => {
  const other = await openJournal(file, () => 5)
  for (let i = 0; i < 50; i++) {
    receive(`a${i}`)
    other.append({ kind: 'received', requester: 'local', runId: `b${i}`, body: {} })
  }
  other.close()
  expect(journal.verify()).toMatchObject({ sound: true, head: { seq: 100 }, gaps: [] })
})

const judge = (runId: string) => journal.appendSoon({ kind: 'judged', requester: 'local', runId, body: {} })
const kinds = async (runId: string) => {
  const reader = await readJournal(file)
  const rows = reader.rowsOf(runId).map(({ kind }) => kind)
  reader.close()
  return rows
}

test('what has no effect by itself is written with what follows, in order', async () => {
  receive('a')
  judge('a')
  judge('a')
  expect(await kinds('a')).toEqual(['received'])
  journal.append({ kind: 'starting', requester: 'local', runId: 'a', body: {} })
  expect(await kinds('a')).toEqual(['received', 'judged', 'judged', 'starting'])
  expect(journal.verify()).toMatchObject({ sound: true, head: { seq: 4 }, gaps: [] })
})

test('nothing follows: it is written all the same, at once for whoever reads here, and at the latest at the end', async () => {
  judge('a')
  expect(journal.rowsOf('a').map(({ kind }) => kind)).toEqual(['judged'])
  judge('b')
  await new Promise(setImmediate)
  expect(await kinds('b')).toEqual(['judged'])
  judge('c')
  journal.close()
  expect(await kinds('c')).toEqual(['judged'])
  journal = await openJournal(file, () => 1)
})

test('an end waits for the row that follows it, and is written a moment later or at the close when none does', async () => {
  const end = (runId: string) => journal.appendLater({ kind: 'ended', requester: 'local', runId, body: {} })
  receive('a')
  end('a')
  await new Promise(setImmediate)
  // Another request is looked up: that is no reason to write.
  expect(journal.received('local', 'b')).toBeNull()
  expect(await kinds('a')).toEqual(['received'])
  receive('b')
  expect(await kinds('a')).toEqual(['received', 'ended'])

  end('b')
  await expect.poll(() => kinds('b')).toEqual(['received', 'ended'])
  end('c')
  expect(journal.rowsOf('c').map(({ kind }) => kind)).toEqual(['ended'])
  end('d')
  journal.close()
  expect(await kinds('d')).toEqual(['ended'])
  journal = await openJournal(file, () => 1)
  expect(journal.verify()).toMatchObject({ sound: true, gaps: [] })
})

test('a journal that cannot be written lets nothing happen, and has what it was told once it can be written again', async () => {
  const problems: unknown[] = []
  const other = await openJournal(
    file,
    () => 1,
    cause => problems.push(cause),
  )
  const full = await openDatabase(file, { readonly: false })
  full.exec("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
  other.appendSoon({ kind: 'received', requester: 'local', runId: 'a', body: {} })
  expect(() => other.append({ kind: 'starting', requester: 'local', runId: 'a', body: {} })).toThrow('the disk is full')
  await new Promise(setImmediate)
  expect(problems).toHaveLength(1)
  full.exec('DROP TRIGGER full')
  full.close()
  other.appendSoon({ kind: 'ended', requester: 'local', runId: 'a', body: {} })
  other.close()
  expect(await kinds('a')).toEqual(['received', 'ended'])
  expect(journal.verify()).toMatchObject({ sound: true, gaps: [] })
})

test('a journal that another program holds locked stops its writer once, not with every row, and misses none afterwards', async () => {
  const soon = await openJournal(
    file,
    () => 1,
    () => {},
    100,
  )
  const other = await openDatabase(file, { readonly: false })
  other.exec('BEGIN IMMEDIATE')
  const began = performance.now()
  const row = (runId: string) => ({ kind: 'starting', requester: 'local', runId, body: {} }) as const
  soon.appendSoon({ kind: 'received', requester: 'local', runId: 'a', body: {} })
  for (let i = 0; i < 50; i++) expect(() => soon.append(row('a'))).toThrow('another program holds it locked')
  expect(performance.now() - began).toBeLessThan(4000)
  other.exec('COMMIT')
  other.close()
  soon.append(row('b'))
  expect([await kinds('a'), await kinds('b')]).toEqual([['received'], ['starting']])
  soon.close()
  expect(journal.verify()).toMatchObject({ sound: true, gaps: [] })
})

test('a reader sees the rows of a run, and the file is the owner’s alone', async () => {
  receive('a')
  journal.append({ kind: 'ended', requester: 'local', runId: 'a', body: { state: 'exited' } })
  const reader = await readJournal(file)
  expect(reader.rowsOf('a').map(({ kind, body }) => [kind, body])).toEqual([
    ['received', { payload_hash: 'h' }],
    ['ended', { state: 'exited' }],
  ])
  expect(reader.newest('received', 5).map(row => row.runId)).toEqual(['a'])
  reader.close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a journal that was removed under its writer takes no further row: what cannot be written down does not happen', () => {
  receive('req_1')
  rmSync(file)
  expect(() => receive('req_2')).toThrow('removed or replaced while the host ran')
  // Another one in its place is not the one that was opened.
  writeFileSync(file, '')
  expect(() => receive('req_3')).toThrow('removed or replaced')
})

test('what a person decided is found without a look at the requests that came after it', async () => {
  journal.append({ kind: 'rules_changed', requester: null, runId: null, body: { decided: 'digest' } })
  for (let i = 0; i < 50; i++) journal.appendSoon({ kind: 'judged', requester: 'local', runId: `${i}`, body: {} })
  expect(journal.vouching()?.decided).toBe('digest')
  const database = await openDatabase(file, { readonly: true })
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN SELECT * FROM journal WHERE kind IN (${VOUCHING_KINDS.map(kind => `'${kind}'`).join(', ')})
      AND json_extract(body, '$.decided') IS NOT NULL ORDER BY seq DESC LIMIT 1`)
    .all()
  database.close()
  expect(JSON.stringify(plan)).toContain('journal_vouching')
})
