import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import type { EndedLine, OpenedLine, RunOutcome } from '../../contract/disk/run-record.ts'
import type { HistoryFilter } from '../../contract/window/history-frames.ts'
import type { StoredRun } from '../store/ledger.ts'
import { RunStore } from '../store/run-store.ts'
import { historyPage } from './history-page.ts'
import { RunWalk } from './run-walk.ts'

const DAY = 86_400_000
const root = mkdtempSync(join(tmpdir(), 'it-history-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const ANY: HistoryFilter = { lane: null, outcome: null, agent: '', project: '', command: '' }
const outcomeOf = ({ ended }: StoredRun): RunOutcome => ({
  state: ended?.state ?? 'running',
  exit_code: ended?.exit_code ?? null,
  signal: null,
  ended_by: ended?.ended_by ?? null,
  ...{ why: null, reason: null, command_executed: null },
})

function opened(id: string, at: number, more: Partial<OpenedLine> = {}): OpenedLine {
  return {
    ...{ type: 'opened', v: 1, id, trace_id: 't', client_request_id: null, requester: 'local', lane: 'headless' },
    ...{ adapter: 'headless_process', command: `echo ${id}`, args: null, cwd: '/work/shop', workspace_id: null },
    ...{ env_names: [], payload_hash: 'p', server: { id: 'srv', pid: 1, start: null }, at, ...more },
  }
}
function ended(id: string, at: number, more: Partial<EndedLine> = {}): EndedLine {
  return {
    ...{ type: 'ended', id, state: 'exited', at, started_at: at, took_ms: 1, exit_code: 0, signal: null },
    ...{ ended_by: null, why: null, destructive: false, survivors: [], output_bytes: 0, lost_bytes: 0, drained: true },
    ...more,
  }
}

/** A store of its own directory; one server for each name. */
function serverOf(directory: string, serverId: string, clock: { at: number }): RunStore {
  return new RunStore({ stateDir: join(root, directory), serverId, now: () => clock.at })
}
function run(store: RunStore, line: OpenedLine, end: Partial<EndedLine> | null = {}): void {
  store.open(line, 'made')
  if (end) store.appendAfter(ended(line.id, line.at + 1, end))
}

async function idsOf(walk: RunWalk): Promise<string[]> {
  const ids: string[] = []
  for (let next = await walk.next(); next !== null; next = await walk.next()) ids.push(next.opened.id)
  return ids
}
const find = (stores: readonly RunStore[], filter: Partial<HistoryFilter>) =>
  historyPage(
    new RunWalk(stores),
    { ...ANY, ...filter },
    { most: 100, withinMs: 60_000, clock: systemClock, outcomeOf },
  )
const found = async (stores: readonly RunStore[], filter: Partial<HistoryFilter>) =>
  (await find(stores, filter)).found.map(({ run: { opened: line } }) => line.id)

test('runs of several servers, days and clients come newest first, each once, and later ones are no part of it', async () => {
  const clock = { at: 10 * DAY }
  const [one, two, box] = [
    serverOf('a', 'srv_1', clock),
    serverOf('a', 'srv_2', clock),
    serverOf('a/box', 'srv_1', clock),
  ]
  const expected: string[] = []
  for (let i = 0; i < 200; i++) {
    clock.at += DAY / 70
    const store = [one, two, box][i % 3] as RunStore
    run(store, opened(`run_${i}`, clock.at))
    expected.unshift(`run_${i}`)
  }
  const walk = new RunWalk([one, box])
  expect((await walk.next())?.opened.id).toBe(expected[0])
  run(one, opened('later', clock.at + 1))
  expect(await idsOf(walk)).toEqual(expected.slice(1))
})

test('runs are found by lane, ending, agent, project and what is in the command, in any letter case', async () => {
  const store = serverOf('b', 'srv_1', { at: DAY })
  run(store, opened('plain', DAY))
  run(store, opened('told', DAY + 1, { lane: 'interactive', client: 'Codex 1.2', workspace_id: 'Shop-API' }))
  run(store, opened('box', DAY + 2, { requester: 'buildbox', cwd: '/srv/Other' }), { exit_code: 3 })
  run(store, opened('args', DAY + 3, { command: 'git', args: ['commit', '-m', 'Fix the CART'] }), { state: 'killed' })
  run(store, opened('mine', DAY + 4), { command_executed: 'npm run deploy', state: 'declined', exit_code: null })
  run(store, opened('runs', DAY + 5), null)

  expect(await found([store], { lane: 'interactive' })).toEqual(['told'])
  expect(await found([store], { agent: 'codex' })).toEqual(['told'])
  expect(await found([store], { agent: 'BUILD' })).toEqual(['box'])
  expect(await found([store], { project: 'shop-api' })).toEqual(['told'])
  expect(await found([store], { project: '/srv/other' })).toEqual(['box'])
  expect(await found([store], { command: 'the cart' })).toEqual(['args'])
  expect(await found([store], { command: 'DEPLOY' })).toEqual(['mine'])
  expect(await found([store], { outcome: 'failed' })).toEqual(['box'])
  expect(await found([store], { outcome: 'ended' })).toEqual(['args'])
  expect(await found([store], { outcome: 'declined' })).toEqual(['mine'])
  expect(await found([store], { outcome: 'open' })).toEqual(['runs'])
  expect(await found([store], { outcome: 'succeeded', project: 'shop' })).toEqual(['told', 'plain'])
  expect(await found([store], { command: 'nothing like it' })).toEqual([])
})

let many: RunStore
beforeAll(() => {
  many = serverOf('many', 'srv_1', { at: DAY })
  for (let i = 0; i < 10_000; i++) run(many, opened(`run_${i}`, DAY + i, { command: `npm run task-${i}` }))
})

test('a search of ten thousand runs is answered in parts, and others have their turn all the while', async () => {
  const walk = new RunWalk([many])
  const limits = { most: 60, withinMs: 50, clock: systemClock, outcomeOf }
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 1)

  const ids: string[] = []
  let looked = 0
  let parts = 0
  for (let isEnd = false; !isEnd; parts++) {
    const page = await historyPage(walk, { ...ANY, command: 'TASK-77' }, limits)
    ids.push(...page.found.map(({ run: { opened: line } }) => line.id))
    looked += page.looked
    isEnd = page.isEnd
  }
  clearInterval(others)

  expect([looked, ids.length, ids[0], ids.at(-1)]).toEqual([10_000, 111, 'run_7799', 'run_77'])
  expect(parts).toBeGreaterThan(2)
  expect(turns).toBeGreaterThan(parts)
})

test('the first page of ten thousand runs needs no more than that page', async () => {
  const page = await historyPage(new RunWalk([many]), ANY, {
    most: 60,
    withinMs: 60_000,
    clock: systemClock,
    outcomeOf,
  })
  expect(page.looked).toBe(60)
  expect(page.found[0]?.run.opened.id).toBe('run_9999')
})
