// What a person would have decided, for a run of the benchmark that nobody watches: the row of the journal and the copy that servers
// read (docs/adr/0044), written as any program of this user can while no host runs.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

const sha256 = value => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Each workspace: id, directory, trusted, patterns of both lanes; in the order of their ids. For a home in which nothing was decided yet. */
export function decide({ dataDir, stateDir }, ...workspaces) {
  const entryOf = ({ id, directory, trusted, patterns }) => [
    id,
    { directory, trusted, accepted: { base: patterns, headless: [] } },
  ]
  const now = { workspaces: Object.fromEntries(workspaces.map(entryOf)), pairings: {}, programs: {} }
  const rows = workspaces.map(({ id, directory, trusted, patterns }) => [
    id,
    directory,
    trusted,
    [...patterns].sort(),
    [],
  ])
  const decided = sha256(['decided', 1, rows, [], []])
  const body = JSON.stringify({ by: 'benchmark', decided })
  const row = {
    seq: 1,
    at: Date.now(),
    kind: 'rules_changed',
    requester: null,
    run_id: null,
    body,
    prev: '0'.repeat(64),
  }
  const hash = sha256([row.seq, row.at, row.kind, row.requester, row.run_id, row.body, row.prev])
  mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(stateDir, 'journal.db'))
  database.exec(`CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL,
    requester TEXT, run_id TEXT, body TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL) STRICT`)
  database.prepare('INSERT INTO journal VALUES (?,?,?,?,?,?,?,?)').run(...Object.values(row), hash)
  database.close()
  const mark = `1:${hash}`
  writeFileSync(join(stateDir, 'journal.head'), `${mark} ${mark}`.padEnd(191).concat('\n'), { mode: 0o600 })
  const copy = join(dataDir, 'decisions.v1.json')
  mkdirSync(dirname(copy), { recursive: true })
  writeFileSync(copy, JSON.stringify({ v: 1, now, ended: now, row: { ...row, hash } }), { mode: 0o600 })
}
