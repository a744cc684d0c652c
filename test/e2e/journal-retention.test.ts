import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from '../../src/runs/journal/journal.ts'
import { openDatabase } from '../../src/runs/journal/open-database.ts'
import { endOf, eventually } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

const DAY_MS = 86_400_000
const ROWS = 12_000
let place: Place
const children: ChildProcess[] = []
beforeEach(() => {
  place = new Place()
  mkdirSync(state(), { recursive: true, mode: 0o700 })
})
afterEach(async () => {
  for (const child of children.splice(0)) await endOf(child)
  place.remove()
})

const state = (): string => join(place.home, 'state')
const file = (): string => join(state(), 'journal.db')

/** A host as an MCP server starts it: host.log is its stderr. */
async function start(): Promise<ChildProcess> {
  const log = openSync(join(state(), 'host.log'), 'a', 0o600)
  const args = [
    PRODUCT,
    'host',
    '--launched',
    '--home',
    place.home,
    '--port',
    '0',
    '--approver-port',
    '0',
    '--pty-host-port',
    '0',
  ]
  const child = spawn(process.execPath, args, { cwd: place.root, env: place.env({}), stdio: ['ignore', log, log] })
  closeSync(log)
  children.push(child)
  await eventually('the host is ready', () => {
    const text = place.read('home/state/host.json')
    return text !== '' && (JSON.parse(text) as { pid: number }).pid === child.pid
  })
  return child
}

const verify = (): Promise<{ code: number; said: string }> =>
  new Promise(resolve => {
    const options = { cwd: place.root, env: place.env({}), timeout: 30_000 }
    execFile(process.execPath, [PRODUCT, 'verify'], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, said: stdout + stderr }),
    )
  })

/** What hosts wrote a hundred days ago. */
async function oldJournal(): Promise<void> {
  for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm', 'journal.head'])
    rmSync(join(state(), name), { force: true })
  const at = Date.now() - 100 * DAY_MS
  const journal = await openJournal(file(), () => at)
  for (let i = 0; i < ROWS / 4; i++)
    for (const kind of ['received', 'judged', 'starting', 'ended'] as const)
      journal.appendSoon({ kind, requester: 'local', runId: `old${i}`, body: { payload_hash: 'h'.repeat(400) } })
  journal.append({ kind: 'host_ended', requester: null, runId: null, body: {} })
  journal.close()
}

async function removedRows(): Promise<number> {
  const database = await openDatabase(file(), { readonly: true })
  const row = database.prepare("SELECT body FROM journal WHERE kind = 'rows_removed' ORDER BY seq DESC LIMIT 1").get()
  database.close()
  return row ? (JSON.parse(String(row.body)) as { rows: number }).rows : 0
}

test('old rows go while the host runs, also when it is killed on the way; verify says so and finds what others take', async () => {
  await oldJournal()
  const killed = await start()
  await eventually('the first rows are gone', async () => (await removedRows()) > 0, 60_000)
  killed.kill('SIGKILL')
  await endOf(killed)
  const after = await removedRows()
  expect(after).toBeLessThan(ROWS - 2000)
  expect(await verify()).toMatchObject({
    code: 0,
    said: expect.stringContaining(`${after} older rows were removed by retention on `),
  })

  const before = statSync(file()).size
  await start()
  // The newest thousand stay, as does the end of the last host; the rows of these hosts and of the removals are among them.
  await eventually('all are gone', async () => (await removedRows()) > ROWS - 1000, 60_000)
  await eventually('the file is smaller', () => statSync(file()).size < before / 3, 60_000)
  const { code, said } = await verify()
  expect(code).toBe(0)
  expect(said).toMatch(
    /older rows were removed by retention on .* \(older than 90 days; from .* to .*\); the rest is intact\./,
  )
  expect(statSync(file()).mode & 0o777).toBe(0o600)

  const database = await openDatabase(file(), { readonly: false })
  database.exec('DROP TRIGGER journal_stays; DELETE FROM journal WHERE seq = (SELECT min(seq) + 3 FROM journal)')
  database.close()
  expect(await verify()).toMatchObject({ code: 1, said: expect.stringContaining('NOT sound') })
}, 180_000)

test('a launched host begins another host.log when the first is full', async () => {
  const log = join(state(), 'host.log')
  const full = `${'x'.repeat(1023)}\n`.repeat(5 * 1024)
  writeFileSync(log, full, { mode: 0o600 })
  await start()
  await eventually('another log', () => existsSync(`${log}.1`))
  expect(readFileSync(`${log}.1`, 'utf8')).toBe(full)
  await eventually('the host is ready', () => readFileSync(log, 'utf8').includes('the host is ready'))
  expect(statSync(log).mode & 0o777).toBe(0o600)
})
