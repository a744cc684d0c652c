#!/usr/bin/env node
// What grows with history: node bench/growth.mjs [runs] [rules] [journal]. A server starts on a state directory that holds so
// much already, written by the product's own store, and is asked the same few things each time.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import * as esbuild from 'esbuild'
import { build } from '../scripts/build.mjs'
import { freshness } from '../scripts/freshness.mjs'
import { decide } from './decide.mjs'
import { markdownTable, median } from './servers/numbers.mjs'
import { endAllSessions, openSession } from './servers/session.mjs'

const root = join(import.meta.dirname, '..')
const SERVERS = 20
const DAYS = 5
const DAY_MS = 86_400_000
const LOOKS = 9
const GROWTH = {
  runs: [100, 1000, 10_000, 100_000],
  rules: [10, 1000, 10_000],
  journal: [1000, 10_000, 100_000, 1_000_000],
}

const tool = 'memory_terminal'
const start = [join(root, 'dist/interactive-terminal.cjs'), 'mcp']
const placesOf = home => ({
  dataDir: join(home, '.local/share/interactive-terminal'),
  stateDir: join(home, '.local/state/interactive-terminal'),
})

/** The store of the product, from its source. */
async function storeOf(scratch) {
  await esbuild.build({
    entryPoints: [join(root, 'src/runs/store/run-store.ts')],
    outfile: join(scratch, 'store.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
  })
  return createRequire(import.meta.url)(join(scratch, 'store.cjs')).RunStore
}

/** Finished runs of several servers on several days. Returns the id of the oldest. */
function writeRuns(RunStore, { stateDir }, cwd, count) {
  for (let server = 0; server < SERVERS; server++) {
    const at = Date.now() - (server % DAYS) * DAY_MS
    const id = `srv_bench${server}`
    const store = new RunStore({ stateDir, serverId: id, now: () => at, marksAreSeen: true })
    for (let i = server; i < count; i += SERVERS) {
      const opened = openedLine(`req_bench${i}`, { id, pid: 1, start: 'gone' }, cwd, at)
      const directory = store.open(opened, 'made')
      store.appendAfter(startedLine(opened.id, at))
      const ended = endedLine(opened.id, at)
      store.appendAfter(ended)
      store.archive(opened, ended, directory)
    }
    store.close()
  }
  return `req_bench${DAYS - 1}`
}

const openedLine = (id, server, cwd, at) => ({
  type: 'opened',
  v: 1,
  id,
  trace_id: `trace_${id}`,
  client_request_id: null,
  requester: 'local',
  lane: 'headless',
  adapter: 'headless_process',
  command: 'git status --short',
  args: null,
  cwd,
  workspace_id: null,
  env_names: [],
  payload_hash: '0'.repeat(64),
  server,
  at,
})
const startedLine = (id, at) => ({
  type: 'started',
  id,
  pid: 1,
  start: 'gone',
  mark: `INTERACTIVE_TERMINAL_RUN=${id}`,
  executable: '/usr/bin/git',
  plan_hash: '0'.repeat(64),
  at,
})
const endedLine = (id, at) => ({
  type: 'ended',
  id,
  state: 'exited',
  at,
  started_at: at,
  took_ms: 3,
  exit_code: 0,
  signal: null,
  ended_by: null,
  why: null,
  destructive: false,
  survivors: [],
  output_bytes: 0,
  lost_bytes: 0,
  drained: true,
})

/** A workspace with so many rules that a person accepted. */
function writeRules(places, home, count) {
  const patterns = Array.from({ length: count }, (_, i) => `tool-${i} check *`)
  const workspace = join(places.dataDir, 'bench')
  mkdirSync(workspace, { recursive: true })
  const updated_at = new Date().toISOString()
  const write = (name, content) => writeFileSync(join(workspace, name), JSON.stringify(content))
  write('terminal-allowlist.json', { patterns, updated_at })
  const accepted = { base: patterns, headless: [] }
  write('workspace.v1.json', { workspace_id: 'bench', directory: home, trusted: false, updated_at, accepted })
  decide(places, { id: 'bench', directory: home, trusted: false, patterns })
}

/** Rows of requests behind the one that says what a person decided. */
function writeJournal({ stateDir }, count) {
  const database = new DatabaseSync(join(stateDir, 'journal.db'))
  const last = database.prepare('SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1').get()
  const insert = database.prepare('INSERT INTO journal VALUES (?,?,?,?,?,?,?,?)')
  let { seq, hash } = last
  database.exec('BEGIN')
  for (let i = 0; i < count; i++) {
    const row = [seq + 1, Date.now(), ['received', 'judged', 'starting', 'ended'][i % 4], 'local', `req_${i >> 2}`]
    const body = JSON.stringify({ command: 'git status --short', payload_hash: '0'.repeat(64) })
    const next = createHash('sha256')
      .update(JSON.stringify([...row, body, hash]))
      .digest('hex')
    insert.run(...row, body, hash, next)
    seq += 1
    hash = next
  }
  database.exec('COMMIT')
  database.close()
  const mark = `${seq}:${hash}`
  writeFileSync(join(stateDir, 'journal.head'), `${mark} ${mark}`.padEnd(191).concat('\n'), { mode: 0o600 })
}

/** What the server's own thread worked, in ms: neighbours do not count. */
const workedMs = pid => Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6

async function measure(prepare, scratch) {
  let oldest = null
  const server = {
    name: 'ours',
    start,
    prepare: home => {
      oldest = prepare(home)
    },
  }
  const session = await openSession(server, scratch)
  try {
    const { pid } = session.transport
    const startMs = workedMs(pid)
    const clocked = async act => {
      const before = workedMs(pid)
      await act()
      return workedMs(pid) - before
    }
    const ask = args => session.client.callTool({ name: tool, arguments: args })
    const first = await clocked(() => ask({ action: 'run', command: 'true' }))
    let deafMs = 0
    let listening = true
    const ears = (async () => {
      while (listening) deafMs = Math.max(deafMs, await clocked(() => session.client.ping()))
    })()
    const firstList = await clocked(() => ask({ action: 'list' }))
    listening = false
    await ears
    const times = { list: [], read: [], run: [] }
    for (let i = 0; i < LOOKS; i++) {
      times.list.push(await clocked(() => ask({ action: 'list' })))
      if (oldest) times.read.push(await clocked(() => ask({ action: 'read_output', session_id: oldest })))
      times.run.push(await clocked(() => ask({ action: 'run', command: 'true' })))
    }
    const read = oldest ? median(times.read) : null
    return [startMs, first, firstList, deafMs, median(times.list), read, median(times.run), session.rssMb()]
  } finally {
    await session.close()
  }
}

const COLUMNS = [
  'start to `tools/list`',
  'first run',
  'first `list`',
  '… most at once meanwhile',
  '`list`',
  '`read_output` of an old run',
  '`true`',
  'memory, MB',
]
const chosen = process.argv.slice(2)
const parts = Object.keys(GROWTH).filter(part => chosen.length === 0 || chosen.includes(part))
if (freshness(root) !== 'fresh') await build({ quiet: true })
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'it-growth-')))
try {
  const RunStore = await storeOf(scratch)
  const rows = [['', ...COLUMNS]]
  for (const part of parts)
    for (const count of GROWTH[part]) {
      const figures = await measure(home => {
        const places = placesOf(home)
        writeRules(places, home, part === 'rules' ? count : 10)
        if (part === 'journal') writeJournal(places, count)
        return part === 'runs' ? writeRuns(RunStore, places, home, count) : null
      }, scratch)
      rows.push([`${count} ${part}`, ...figures.map(each => (each === null ? '-' : each.toFixed(1)))])
      console.error(rows.at(-1).join('  '))
    }
  console.log(`Milliseconds of the server’s thread, medians of ${LOOKS}:\n\n${markdownTable(rows)}`)
} finally {
  endAllSessions()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(0)
