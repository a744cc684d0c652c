#!/usr/bin/env node
// What grows with history: node bench/growth.mjs [runs] [rules] [journal] [host] [terminals]. A server starts on a state directory that
// holds so much already, written by the product's own store, and is asked the same few things each time; and so does a host.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { loadTestPart } from '../scripts/load-test-part.mjs'
import { buildTestProduct } from '../scripts/test-product.mjs'
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
  /** The same rows, and a host instead of a server. */
  host: [1000, 10_000, 100_000, 1_000_000],
  terminals: [1, 8, 32, 64],
}
/** A rule file holds 1,024 at most: more of them are those of several folders. */
const RULES_PER_FOLDER = 1000

const tool = 'memory_terminal'
const start = [join(root, 'dist/interactive-terminal.cjs'), 'mcp']
const placesOf = home => ({
  dataDir: join(home, '.local/share/interactive-terminal'),
  stateDir: join(home, '.local/state/interactive-terminal'),
})

/** A part of the product, from its source. */
async function partOf(file) {
  const out = mkdtempSync(join(root, 'dist/part-'))
  const outfile = join(out, 'part.cjs')
  try {
    const entryPoints = [join(root, file)]
    await esbuild.build({ entryPoints, outfile, bundle: true, packages: 'external', platform: 'node', format: 'cjs' })
    return createRequire(import.meta.url)(outfile)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
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

/** So many rules that a person accepted, the last of them for the folder that is asked about. */
function writeRules(places, home, count) {
  const folders = Math.ceil(count / RULES_PER_FOLDER)
  const workspaces = Array.from({ length: folders }, (_, folder) => {
    const id = `bench${String(folder).padStart(3, '0')}`
    const many = Math.min(RULES_PER_FOLDER, count - folder * RULES_PER_FOLDER)
    const patterns = Array.from({ length: many }, (_, i) => `tool-${folder}-${i} check *`)
    const directory = folder === folders - 1 ? home : join(home, 'elsewhere', id)
    mkdirSync(directory, { recursive: true })
    return { id, directory, trusted: false, patterns }
  })
  const updated_at = new Date().toISOString()
  for (const { id, directory, patterns } of workspaces) {
    const workspace = join(places.dataDir, id)
    mkdirSync(workspace, { recursive: true })
    const write = (name, content) => writeFileSync(join(workspace, name), JSON.stringify(content))
    write('terminal-allowlist.json', { patterns, updated_at })
    const accepted = { base: patterns, headless: [] }
    write('workspace.v1.json', { workspace_id: id, directory, trusted: false, updated_at, accepted })
  }
  decide(places, ...workspaces)
}

/** In the order of the index: a million rows are written in seconds. */
const runIdOf = i => `req_bench${String(i).padStart(7, '0')}`

/** Rows of requests behind the one that says what a person decided. */
async function writeJournal(openJournal, { stateDir }, count) {
  const journal = await openJournal(join(stateDir, 'journal.db'), Date.now)
  const body = { command: 'git status --short', payload_hash: '0'.repeat(64) }
  const kinds = ['received', 'judged', 'starting', 'ended']
  for (let i = 0; i < count; i++)
    journal.appendSoon({ kind: kinds[i % 4], requester: 'local', runId: runIdOf(i >> 2), body })
  journal.close()
}

/** What the server's own thread worked, in ms: neighbours do not count. */
const workedMs = pid => Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6

async function measure(prepare, scratch) {
  const home = realpathSync(mkdtempSync(join(scratch, 'made-')))
  const oldest = await prepare(home)
  const server = { name: 'ours', start, home }
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
await buildTestProduct()
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'it-growth-')))
const began = performance.now()
/** Says each row as it comes: the whole takes minutes. */
const table = columns => {
  const rows = [['', ...columns]]
  return {
    rows,
    add: cells => {
      rows.push(cells)
      console.error(`${((performance.now() - began) / 1000).toFixed(0)} s  ${cells.join('  ')}`)
    },
  }
}

try {
  const { RunStore } = await partOf('src/runs/store/run-store.ts')
  const { openJournal } = await partOf('src/runs/journal/journal.ts')
  const servers = table(COLUMNS)
  for (const part of parts.filter(each => each !== 'host' && each !== 'terminals'))
    for (const count of GROWTH[part]) {
      const figures = await measure(async home => {
        const places = placesOf(home)
        writeRules(places, home, part === 'rules' ? count : 10)
        if (part === 'journal') await writeJournal(openJournal, places, count)
        return part === 'runs' ? writeRuns(RunStore, places, home, count) : null
      }, scratch)
      servers.add([`${count} ${part}`, ...figures.map(each => (each === null ? '-' : each.toFixed(1)))])
    }
  const { HOST_COLUMNS, TERMINAL_COLUMNS, journalRows, terminalRows } = await loadTestPart('test/bench/growth-rows.ts')
  const hosts = table(HOST_COLUMNS)
  if (parts.includes('host')) await journalRows(GROWTH.host, hosts.add)
  const terminals = table(TERMINAL_COLUMNS)
  if (parts.includes('terminals')) await terminalRows(GROWTH.terminals, terminals.add)

  console.log(`Milliseconds of the server’s thread, medians of ${LOOKS}:\n\n${markdownTable(servers.rows)}`)
  for (const { rows } of [hosts, terminals])
    if (rows.length > 1) console.log(`\nOf a host, milliseconds on the clock, memory as PSS:\n\n${markdownTable(rows)}`)
} finally {
  endAllSessions()
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(0)
