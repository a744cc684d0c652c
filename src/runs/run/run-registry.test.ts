import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import type { ProcessRow, ProcessTable } from '../../base/process/process-table.ts'
import { RunStore } from '../store/run-store.ts'
import { RunRegistry } from './run-registry.ts'
import type { RunRequest } from './run-request.ts'

const root = mkdtempSync(join(tmpdir(), 'it-registry-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let next = 0
const newState = () => join(root, String(next++))

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Processes that exist only on paper. */
function paperTable(rows: ProcessRow[], marks: Readonly<Record<number, string>> = {}): ProcessTable {
  return {
    rows: () => rows,
    row: pid => rows.find(row => row.pid === pid) ?? null,
    carries: (pid, mark) => marks[pid] === mark,
    hasVariable: () => false,
  }
}
const server = (pid: number): ProcessRow => ({ pid, ppid: 1, group: pid, session: pid, start: `s${pid}` })

function serverOn(
  stateDir: string,
  pid: number,
  table: ProcessTable,
  more: Partial<ConstructorParameters<typeof RunRegistry>[0]> = {},
) {
  const clock = new FakeClock()
  const id = `srv_${pid}`
  const store = new RunStore({ stateDir, serverId: id, now: () => clock.now() })
  const registry = new RunRegistry({
    store,
    clock,
    log: quiet,
    killer: { table, platform: 'linux', clock },
    server: { id, pid, start: `s${pid}` },
    quotaBytes: 1e6,
    graceMs: 100,
    lane: 'headless',
    ...more,
  })
  return { registry, store, clock }
}

const request = (id: string, payloadHash = 'hash'): RunRequest => ({
  id,
  idIs: 'given',
  traceId: 'trace',
  clientRequestId: null,
  requester: 'local',
  command: 'sleep 60',
  args: null,
  env: {},
  cwd: '/',
  workspaceId: null,
  killAfterMs: null,
  payloadHash,
})
const startedLine = (id: string, pid: number, start: string) =>
  ({
    type: 'started',
    id,
    pid,
    start,
    mark: `INTERACTIVE_TERMINAL_RUN=${id}`,
    executable: '/bin/sleep',
    plan_hash: 'p',
    at: 1,
  }) as const

test('the same id is the same run, and a second call finds it', () => {
  const { registry } = serverOn(newState(), 10, paperTable([server(10)]))
  const first = registry.open(request('job'))
  const second = registry.open(request('job'))
  expect(['run' in first, 'existing' in second && second.existing.opened.id]).toEqual([true, 'job'])
})

test('where the state cannot be written nothing is opened, and the answer says why', () => {
  const state = newState()
  writeFileSync(state, 'a file where the directory should be')
  const { registry } = serverOn(state, 10, paperTable([server(10)]))
  expect(() => registry.open(request('job'))).toThrow(/state directory cannot be written, so nothing was started: E/)
  expect(registry.find('job')).toBe(null)
})

test('a run of a living server is running there, as seen from another server', () => {
  const state = newState()
  const table = paperTable([server(10), server(20)])
  const a = serverOn(state, 10, table)
  a.registry.open(request('job'))
  a.store.appendAfter(startedLine('job', 100, 'c100'))
  const b = serverOn(state, 20, table)
  expect([b.registry.reconcile(), b.registry.list(50).views.map(view => [view.owner, view.status().state.at])]).toEqual(
    [[], [['another_server', 'running']]],
  )
})

test('what a dead server left is lost, with those that still live named; a reused pid is not one of them', () => {
  const state = newState()
  const a = serverOn(state, 10, paperTable([server(10)]))
  for (const id of ['left', 'gone']) a.registry.open(request(id))
  a.store.appendAfter(startedLine('left', 100, 'c100'))
  a.store.appendAfter(startedLine('gone', 200, 'c200'))
  const rows = [
    server(20),
    { pid: 100, ppid: 1, group: 100, session: 100, start: 'c100' },
    { pid: 101, ppid: 1, group: 100, session: 100, start: 'c101' },
    { pid: 102, ppid: 1, group: 102, session: 102, start: 'c102' },
    // The same number, another process.
    { pid: 200, ppid: 1, group: 200, session: 200, start: 'somebody else' },
    { pid: 201, ppid: 200, group: 200, session: 200, start: 'c201' },
  ]
  const b = serverOn(state, 20, paperTable(rows, { 102: 'INTERACTIVE_TERMINAL_RUN=left' }))
  b.registry.reconcile()
  expect(['left', 'gone'].map(id => b.registry.find(id)?.status()).map(now => [now?.state.at, now?.survivors])).toEqual(
    [
      ['lost', [100, 101, 102]],
      ['lost', []],
    ],
  )
})

test('a dead server whose pid now belongs to another process is dead', () => {
  const state = newState()
  serverOn(state, 10, paperTable([server(10)])).registry.open(request('job'))
  const b = serverOn(state, 20, paperTable([server(20), { ...server(10), start: 'somebody else' }]))
  expect(b.registry.reconcile().map(run => run.ended?.state)).toEqual(['lost'])
})

test('killed between starting a process and noting it, a server leaves a run whose processes are still found', () => {
  const state = newState()
  serverOn(state, 10, paperTable([server(10)])).registry.open(request('job'))
  const rows = [server(20), { pid: 100, ppid: 1, group: 100, session: 100, start: 'c100' }]
  const b = serverOn(state, 20, paperTable(rows, { 100: 'INTERACTIVE_TERMINAL_RUN=job' }))
  b.registry.reconcile()
  expect(b.registry.find('job')?.status()).toMatchObject({ state: { at: 'lost' }, survivors: [100] })
})

test('what a dead server left is told also when its last line was cut short', () => {
  const state = newState()
  const a = serverOn(state, 10, paperTable([server(10)]))
  a.registry.open(request('job'))
  const ledger = join(state, 'runs', '1970-01-01', 'srv_10', 'ledger.jsonl')
  appendFileSync(ledger, JSON.stringify(startedLine('job', 100, 'c100')).slice(0, 60))
  const rows = [server(20), { pid: 100, ppid: 1, group: 100, session: 100, start: 'c100' }]
  const table = paperTable(rows, { 100: 'INTERACTIVE_TERMINAL_RUN=job' })
  serverOn(state, 20, table).registry.reconcile()
  // Told to the one who looks later too: it was written down.
  expect(serverOn(state, 30, table).registry.find('job')?.status()).toMatchObject({
    state: { at: 'lost' },
    survivors: [100],
  })
})

test('a server that is about to write its first line is not taken for dead', () => {
  const state = newState()
  mkdirSync(join(state, 'runs', '1970-01-01', 'srv_10'), { recursive: true })
  serverOn(state, 20, paperTable([server(10), server(20)])).registry.reconcile()
  expect(existsSync(join(state, 'runs', '1970-01-01', 'srv_10', 'closed'))).toBe(false)
})

test('a server that dies while another one runs leaves survivors that the other one names', () => {
  const state = newState()
  const a = serverOn(state, 10, paperTable([server(10)]))
  a.registry.open(request('job'))
  a.store.appendAfter(startedLine('job', 100, 'c100'))
  const rows = [server(20), { pid: 100, ppid: 1, group: 100, session: 100, start: 'c100' }]
  const b = serverOn(state, 20, paperTable(rows))
  expect(b.registry.find('job')?.status()).toMatchObject({ state: { at: 'lost' }, survivors: [100] })
})

test('who stops watching a run of another server is not woken again', async () => {
  const state = newState()
  const table = paperTable([server(10), server(20)])
  serverOn(state, 10, table).registry.open(request('job'))
  const b = serverOn(state, 20, table)
  const watching = b.registry.find('job')?.watch(() => watching?.dispose())
  await b.clock.advance(1000)
  expect(b.clock.pending).toBe(0)
})

const HOST = { lane: 'interactive' } as const
const terminal = { profile: 'bash', home: '/' }
const interactive = { adapter: 'host_bridge_local', terminalId: 'term_1', terminal } as const
const inTerminal = (id: string): RunRequest => ({ ...request(id), interactive })
const inPtyHost = (id: string) => ({ ...startedLine(id, 100, 'c100'), pty_host: { pid: 50, start: 's50' } })

test('a run of a dead host lives on while its pty-host does, as every server sees it', () => {
  const state = newState()
  const a = serverOn(state, 10, paperTable([server(10)]), HOST)
  a.registry.open(inTerminal('job'))
  a.store.appendAfter(inPtyHost('job'))
  const seen = (rows: ProcessRow[]) => serverOn(state, 20, paperTable(rows)).registry.find('job')?.status().state.at
  expect([seen([server(20), server(50)]), seen([server(20)])]).toEqual(['running', 'lost'])
})

test('only a host settles what hosts have left: nobody else can ask pty-host', () => {
  const state = newState()
  serverOn(state, 10, paperTable([server(10)]), HOST).registry.open(inTerminal('job'))
  const table = paperTable([server(20), server(30)])
  expect(serverOn(state, 20, table).registry.reconcile()).toEqual([])
  expect(
    serverOn(state, 30, table, HOST)
      .registry.reconcile()
      .map(run => run.opened.id),
  ).toEqual(['job'])
})

test('a run taken over is written on where it was opened, and the rest of that host is settled', () => {
  const state = newState()
  const a = serverOn(state, 10, paperTable([server(10)]), HOST)
  for (const id of ['lives', 'gone']) a.registry.open(inTerminal(id))
  a.store.append({ type: 'allowed', id: 'lives', approved_by: 'person', at: 1 })
  a.store.appendAfter({ ...inPtyHost('lives'), kill_after_ms: 5000 })
  const table = paperTable([server(20), server(50)])
  const fateOf = () => ({ at: 'withdrawn', endedAt: 7 }) as const
  const b = serverOn(state, 20, table, { ...HOST, fateOf })
  const stored = b.store.find('lives')
  if (!stored) throw new Error('not there')
  const run = b.registry.takeOver(stored)
  expect(b.registry.reconcile().map(({ opened, ended }) => [opened.id, ended?.state])).toEqual([['gone', 'withdrawn']])
  expect(run.request).toEqual({ ...inTerminal('lives'), killAfterMs: 5000 })
  run.move({ at: 'running', pid: 100, pidStart: 'c100', startedAt: 1 })
  const ledger = join(state, 'runs', '1970-01-01', 'srv_10')
  expect([b.registry.list(9).views.map(view => view.status().state.at), existsSync(join(ledger, 'closed'))]).toEqual([
    ['running', 'withdrawn'],
    false,
  ])
  run.move({ at: 'exited', exitCode: 0, signal: null, startedAt: 1, endedAt: 2, tookMs: 1 })
  b.registry.release(run)
  const later = serverOn(state, 30, table).registry.find('lives')?.status()
  expect([later?.state.at, later?.approved_by, existsSync(join(ledger, 'closed'))]).toEqual(['exited', 'person', true])
})

test('a line that was typed into a shell is lost with its host, and the shell is not one of its processes', () => {
  const state = newState()
  const a = serverOn(state, 10, paperTable([server(10)]), HOST)
  a.registry.open(inTerminal('line'))
  a.store.appendAfter({ ...startedLine('line', 100, 'c100'), typed_into: 'shell' })
  const rows = [server(20), { pid: 100, ppid: 1, group: 100, session: 100, start: 'c100' }]
  const b = serverOn(state, 20, paperTable(rows), HOST)
  expect(b.registry.reconcile().map(run => [run.ended?.state, run.ended?.survivors])).toEqual([['lost', []]])
})
