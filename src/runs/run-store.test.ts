import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { EndedLine, OpenedLine } from '../contract/run-record.ts'
import { endedLine } from './run.ts'
import { RunStore } from './run-store.ts'

const root = mkdtempSync(join(tmpdir(), 'it-store-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let next = 0
const newState = () => join(root, String(next++))

const DAY = 86_400_000
const START = Date.UTC(2030, 0, 10, 12)

const opened = (id: string, at = START): OpenedLine => ({
  type: 'opened',
  v: 1,
  id,
  trace_id: 'trace',
  client_request_id: null,
  requester: 'local',
  lane: 'headless',
  adapter: 'headless_process',
  command: 'true',
  args: null,
  cwd: '/',
  workspace_id: null,
  env_names: [],
  payload_hash: 'hash',
  server: { id: 'srv', pid: 1, start: '1' },
  at,
})
const ended = (id: string, at: number, bytes: number): EndedLine =>
  endedLine(
    id,
    { at: 'exited', exitCode: 0, signal: null, startedAt: at, endedAt: at, tookMs: 0 },
    { size: bytes, lost: 0 },
    true,
  )

/** A store in a world whose time the test sets. */
function storeAt(stateDir: string, serverId = 'srv') {
  const time = { now: START }
  const store = new RunStore({ stateDir, serverId, now: () => time.now })
  return {
    store,
    time,
    /** A run that has printed so many bytes; over when `over`. */
    run(id: string, bytes: number, over = true): string {
      const directory = store.open(opened(id, time.now), 'given') ?? ''
      mkdirSync(directory, { recursive: true })
      writeFileSync(join(directory, '000000000000000.log'), Buffer.alloc(bytes))
      if (over) {
        store.append(ended(id, time.now, bytes))
        store.archive(opened(id, time.now), ended(id, time.now, bytes), directory)
      }
      return directory
    },
  }
}

test('an id chosen by a caller is taken once, whichever server asks', () => {
  const state = newState()
  const a = storeAt(state, 'srv_a').store
  const b = storeAt(state, 'srv_b').store
  expect([a.open(opened('job'), 'given'), b.open(opened('job'), 'given'), a.open(opened('job'), 'given')]).toEqual([
    expect.stringContaining('srv_a'),
    null,
    null,
  ])
})

test('an id that another server is taking at this very moment is taken', () => {
  const state = newState()
  storeAt(state, 'srv_a').store.open(opened('job'), 'given')
  // The other server has created the file and written nothing yet, neither there nor in its ledger.
  rmSync(join(state, 'runs'), { recursive: true })
  for (const name of readdirSync(join(state, 'ids'))) writeFileSync(join(state, 'ids', name), '')
  expect(storeAt(state, 'srv_b').store.open(opened('job'), 'given')).toBe(null)
})

test('an id is taken for good also when somebody has removed the directory of ids meanwhile', () => {
  const state = newState()
  const { store } = storeAt(state)
  store.open(opened('one'), 'given')
  rmSync(join(state, 'ids'), { recursive: true })
  expect([store.open(opened('two'), 'given'), store.open(opened('two'), 'given')]).toEqual([expect.any(String), null])
})

test('ids that a disk takes for the same are told apart: upper and lower case', () => {
  const state = newState()
  const { store } = storeAt(state)
  store.open(opened('warm'), 'given')
  store.open(opened('job'), 'given')
  // As a disk that does not tell them apart has it.
  linkSync(join(state, 'ids', 'job'), join(state, 'ids', 'JOB'))
  expect([
    store.open(opened('JOB'), 'given'),
    store.open(opened('JOB'), 'given'),
    store.open(opened('job'), 'given'),
  ]).toEqual([expect.any(String), null, null])
})

test('an id taken hours ago, or by a server that has ended, is still taken', () => {
  const state = newState()
  const a = storeAt(state, 'srv_a')
  for (const id of ['one', 'two', 'three']) a.store.open(opened(id), 'given')
  a.time.now += 5 * 3_600_000
  a.store.close()
  const b = storeAt(state, 'srv_b').store
  expect(
    ['one', 'two', 'three'].flatMap(id => [a.store.open(opened(id), 'given'), b.open(opened(id), 'given')]),
  ).toEqual(Array(6).fill(null))
})

test.each(['a.', '.a', '.', '..', 'a:b', 'closed', '-', 'x'.repeat(128), ':'.repeat(128)])(
  'every id a caller may choose can be stored: %s',
  id => {
    const { store } = storeAt(newState())
    expect([
      store.open(opened(id), 'given') === null,
      store.open(opened(id), 'given'),
      store.find(id)?.opened.id,
    ]).toEqual([false, null, id])
  },
)

test('a run opened by an earlier server is found by a later one', () => {
  const state = newState()
  const before = storeAt(state, 'srv_a')
  const directory = before.run('job', 10)
  before.store.close()
  expect(storeAt(state, 'srv_b').store.find('job')).toEqual({
    opened: opened('job'),
    allowed: null,
    started: null,
    ended: ended('job', START, 10),
    directory,
  })
})

test('days later the runs go, with their output; those of the last days stay', () => {
  const world = storeAt(newState())
  const old = world.run('old', 10)
  world.time.now += 8 * DAY
  const young = world.run('young', 10)
  world.store.evict({ retentionDays: 7, totalBytes: 1e9 })
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})

test('a run that still runs is never let go, however old it is and however much it has printed', () => {
  const world = storeAt(newState())
  const running = world.run('running', 5000, false)
  const beside = world.run('beside', 5000)
  world.time.now += 30 * DAY
  world.store.evict({ retentionDays: 7, totalBytes: 1000 })
  expect([existsSync(running), existsSync(beside)]).toEqual([true, false])
})

test('half an hour later memory lets go of a run, and the disk still has it', () => {
  const state = newState()
  const { store, time, run } = storeAt(state)
  const limits = { retentionDays: 7, totalBytes: 1e6 }
  run('a', 10)
  const remembered = store.find('a')
  time.now += 29 * 60_000
  store.evict(limits)
  expect(store.find('a')).toBe(remembered)
  time.now += 2 * 60_000
  store.evict(limits)
  expect(store.find('a')).not.toBe(remembered)
  expect(store.find('a')?.ended).toEqual(remembered?.ended)
})

test('over the total quota the oldest output goes first, and only as much as must', () => {
  const world = storeAt(newState())
  const directories = ['first', 'second', 'third'].map(id => {
    world.time.now += 1000
    return world.run(id, 400)
  })
  world.store.evict({ retentionDays: 7, totalBytes: 900 })
  expect(directories.map(directory => existsSync(directory))).toEqual([false, true, true])
  // The run itself is still known; only its output is gone.
  expect(world.store.find('first')?.ended?.output_bytes).toBe(400)
})

test('an id can be used again once its run has been let go', () => {
  const state = newState()
  const world = storeAt(state)
  world.run('job', 1)
  for (const name of readdirSync(join(state, 'ids'))) utimesSync(join(state, 'ids', name), START / 1000, START / 1000)
  world.time.now += 9 * DAY
  world.store.evict({ retentionDays: 7, totalBytes: 1e9 })
  const again = new RunStore({ stateDir: state, serverId: 'srv_2', now: () => world.time.now })
  expect(again.open(opened('job', world.time.now), 'given')).not.toBe(null)
})

test('the newest come first, and how many more there are is told', () => {
  const world = storeAt(newState())
  for (const id of ['a', 'b', 'c']) {
    world.time.now += 1000
    world.run(id, 1)
  }
  const { runs, more } = world.store.recent(2)
  expect([runs.map(run => run.opened.id), more]).toEqual([['c', 'b'], 1])
})
