import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { needs } from '../../../test/drivers/needs.ts'
import { SmallDisk } from '../../../test/drivers/small-disk.ts'
import { openedLine } from '../../../test/fakes/opened-line.ts'
import type { EndedLine } from '../../contract/disk/run-record.ts'
import { endedLine } from '../run/ended-line.ts'
import { statusOf } from '../run/run-status.ts'
import { RunStore } from './run-store.ts'
import { verifyLedgers } from './verify-ledgers.ts'

const root = mkdtempSync(join(tmpdir(), 'it-store-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let next = 0
const newState = () => join(root, String(next++))

const DAY = 86_400_000
const START = Date.UTC(2030, 0, 10, 12)

const opened = (id: string, at = START) => openedLine(id, { at })
const ended = (id: string, at: number, bytes: number): EndedLine =>
  endedLine(
    id,
    statusOf(
      { at: 'exited', exitCode: 0, signal: null, startedAt: at, endedAt: at, tookMs: 0 },
      { size: bytes, lost: 0 },
      true,
    ),
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
      const file = join(directory, '000000000000000.log')
      writeFileSync(file, Buffer.alloc(bytes))
      utimesSync(file, time.now / 1000, time.now / 1000)
      if (over) {
        store.appendAfter(ended(id, time.now, bytes))
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

test('days later the runs go, with their output; those of the last days stay', async () => {
  const world = storeAt(newState())
  const old = world.run('old', 10)
  world.time.now += 8 * DAY
  const young = world.run('young', 10)
  await world.store.evict({ retentionDays: 7, totalBytes: 1e9 })
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})

test('a run that still runs is never let go, however old it is and however much it has printed', async () => {
  const world = storeAt(newState())
  const running = world.run('running', 5000, false)
  const beside = world.run('beside', 5000)
  world.time.now += 30 * DAY
  await world.store.evict({ retentionDays: 7, totalBytes: 1000 })
  expect([existsSync(running), existsSync(beside)]).toEqual([true, false])
})

test('half an hour later memory lets go of a run, and the disk still has it', async () => {
  const state = newState()
  const { store, time, run } = storeAt(state)
  const limits = { retentionDays: 7, totalBytes: 1e6 }
  run('a', 10)
  const remembered = store.find('a')
  time.now += 29 * 60_000
  await store.evict(limits)
  expect(store.find('a')).toBe(remembered)
  time.now += 2 * 60_000
  await store.evict(limits)
  expect(store.find('a')).not.toBe(remembered)
  expect(store.find('a')?.ended).toEqual(remembered?.ended)
})

test('over the total quota the oldest output goes first, and only as much as must', async () => {
  const world = storeAt(newState())
  const directories = ['first', 'second', 'third'].map(id => {
    world.time.now += 1000
    return world.run(id, 400)
  })
  await world.store.evict({ retentionDays: 7, totalBytes: 900 })
  expect(directories.map(directory => existsSync(directory))).toEqual([false, true, true])
  // The run itself is still known; only its output is gone.
  expect(world.store.find('first')?.ended?.output_bytes).toBe(400)
})

test('an id can be used again once its run has been let go', async () => {
  const state = newState()
  const world = storeAt(state)
  world.run('job', 1)
  for (const name of readdirSync(join(state, 'ids'))) utimesSync(join(state, 'ids', name), START / 1000, START / 1000)
  world.time.now += 9 * DAY
  await world.store.evict({ retentionDays: 7, totalBytes: 1e9 })
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

test('on a disk that is full nothing is opened, and the id can be used again once there is room', () => {
  const room = { size: 100_000_000, free: 100_000 }
  const store = new RunStore({ stateDir: newState(), serverId: 'srv', now: () => START, disk: () => room })
  expect(() => store.open(opened('job'), 'given')).toThrow(/is full \(97 kB free, 976 kB are needed\)/)
  room.free = 50_000_000
  expect(store.open(opened('job'), 'given')).toContain('run-job')
})

describe('on a real disk that is full to its last byte', needs('root'), () => {
  test('an id that could not be taken can be used again', () => {
    const disk = new SmallDisk(1)
    try {
      // More room is told than there is: it goes between the look and the write.
      const roomy = () => ({ size: 1e9, free: 1e9 })
      const store = new RunStore({ stateDir: disk.root, serverId: 'srv', now: () => START, disk: roomy })
      disk.fill()
      // The first one here, and one that needs a file of its own.
      for (const id of ['job', 'Job2']) expect(() => store.open(opened(id), 'given')).toThrow(/ENOSPC/)
      disk.empty()
      for (const id of ['job', 'Job2']) expect(store.open(opened(id), 'given')).not.toBe(null)
      for (const id of ['job', 'Job2']) expect(store.open(opened(id), 'given')).toBe(null)
    } finally {
      disk.close()
    }
  })
})

test('what happened on a full disk is written down as soon as there is room', () => {
  const state = newState()
  const { store } = storeAt(state)
  const directory = join(store.open(opened('job'), 'given') ?? '', '..')
  // As good as a full disk: nothing can be opened in its place.
  rmSync(directory, { recursive: true })
  writeFileSync(directory, '')
  store.appendAfter(ended('job', START, 0))
  rmSync(directory)
  store.open(opened('next'), 'given')
  store.close()
  const lines = readFileSync(join(directory, 'ledger.jsonl'), 'utf8')
  expect(
    lines
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line).id),
  ).toEqual(['job', 'next'])
})

describe('what belongs to one moment', () => {
  const started = (id: string) => ({
    type: 'started' as const,
    id,
    pid: 1,
    start: '1',
    mark: `RUN=${id}`,
    executable: '/bin/true',
    plan_hash: 'hash',
    at: START,
  })
  const soonStore = (stateDir: string) =>
    new RunStore({ stateDir, serverId: 'srv', now: () => START, marksAreSeen: true })
  const typesIn = (stateDir: string) =>
    readFileSync(join(stateDir, 'runs/2030-01-10/srv/ledger.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as { type: string }).type)

  test('the opening is on disk before anything starts; a start waits for what follows it, and the order stays', () => {
    const state = newState()
    const store = soonStore(state)
    store.open(opened('a'), 'made')
    expect(typesIn(state)).toEqual(['opened'])
    store.appendAfter(started('a'))
    expect(typesIn(state)).toEqual(['opened'])
    store.open(opened('b'), 'made')
    expect(typesIn(state)).toEqual(['opened', 'started', 'opened'])
    store.appendAfter(started('b'))
    store.appendAfter(ended('b', START, 0))
    expect(typesIn(state)).toEqual(['opened', 'started', 'opened', 'started', 'ended'])
    expect(verifyLedgers(state, []).problems).toEqual([])
  })

  test('a start that nothing follows is written all the same', async () => {
    const state = newState()
    const store = soonStore(state)
    store.open(opened('a'), 'made')
    store.appendAfter(started('a'))
    await expect.poll(() => typesIn(state)).toEqual(['opened', 'started'])
  })

  test('whoever asks for a run that has just started finds its start', () => {
    const store = soonStore(newState())
    store.open(opened('a'), 'made')
    store.appendAfter(started('a'))
    expect(store.find('a')?.started?.pid).toBe(1)
  })
})
