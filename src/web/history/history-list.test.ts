import { expect, test } from 'vitest'
import type { HistoryFilter, HistoryItem, HistoryShown } from '../../contract/window/history-frames.ts'
import { HistoryList, NO_FILTER } from './history-list.ts'

const item = (number: number): HistoryItem => ({
  ...{ session_id: `req_${number}`, requester: 'local', client: '', lane: 'headless', is_shell: false },
  ...{ command: `echo ${number}`, is_cut: false, cwd: '/', workspace_id: null, verdict: null, approved_by: null },
  outcome: {
    ...{ state: 'exited', exit_code: 0, signal: null, ended_by: null },
    ...{ why: null, reason: null, command_executed: null },
  },
  ...{ answered: null, received_at: number, took_ms: 1, output_bytes: 0 },
})

/** A host that has so many runs and gives `page` of them at a time; `empty`: so many answers in front have none. */
function host(count: number, page: number, empty = 0) {
  const asked: { filter: HistoryFilter; after: string | null }[] = []
  const ask = async (filter: HistoryFilter, after: string | null): Promise<HistoryShown> => {
    asked.push({ filter, after })
    const turn = after === null ? 0 : Number(after.slice(1))
    const from = Math.max(0, turn - empty) * page
    const items = turn < empty ? [] : Array.from({ length: Math.min(page, count - from) }, (_, i) => item(from + i))
    const next = turn >= empty && from + page >= count ? null : `h${turn + 1}`
    return { type: 'history_shown', request_id: 'w1', items, next, looked: page }
  }
  return { asked, ask }
}

test('only as much of the history is asked for as somebody has scrolled to', async () => {
  const { asked, ask } = host(10_000, 200)
  const list = new HistoryList(ask)
  await list.show(NO_FILTER)
  expect([list.state.value.items.length, asked.length, list.state.value.at]).toEqual([200, 1, 'shown'])
  list.reached(30)
  await expect.poll(() => list.state.value.at).toBe('shown')
  expect([list.state.value.items.length, asked.length]).toEqual([400, 2])
  list.reached(9_999)
  await expect.poll(() => list.state.value.next).toBeNull()
  const { items } = list.state.value
  expect(items.map(({ session_id }) => session_id)).toEqual(Array.from({ length: 10_000 }, (_, i) => `req_${i}`))
})

test('a search goes on until something was found, and says how many it looked through', async () => {
  const { ask } = host(5, 50, 7)
  const list = new HistoryList(ask)
  await list.show({ ...NO_FILTER, command: 'needle' })
  expect(list.state.value).toMatchObject({ looked: 8 * 50, next: null, at: 'shown', filter: { command: 'needle' } })
  expect(list.state.value.items).toHaveLength(5)
})

test('what comes for an earlier search is not shown', async () => {
  const waiting: ((shown: HistoryShown) => void)[] = []
  const list = new HistoryList(() => new Promise(resolve => waiting.push(resolve)))
  const [first, second] = [list.show(NO_FILTER), list.show({ ...NO_FILTER, lane: 'headless' })]
  const shown = (number: number): HistoryShown => ({
    ...{ type: 'history_shown', request_id: 'w1', items: [item(number)], next: null, looked: 1 },
  })
  waiting[1]?.(shown(2))
  waiting[0]?.(shown(1))
  await Promise.all([first, second])
  expect(list.state.value.items.map(({ session_id }) => session_id)).toEqual(['req_2'])
})

test('a host that does not answer leaves what is there, and it is said', async () => {
  const { ask } = host(300, 200)
  let up = true
  const list = new HistoryList((filter, after) => (up ? ask(filter, after) : Promise.resolve(null)))
  await list.show(NO_FILTER)
  up = false
  list.reached(199)
  await expect.poll(() => list.state.value.at).toBe('broken')
  expect(list.state.value.items).toHaveLength(200)
})
