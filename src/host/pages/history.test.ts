import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import type { EndedLine, OpenedLine } from '../../contract/disk/run-record.ts'
import type { HostToWindow, WindowFrame } from '../../contract/window/window-frames.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import { statusIn } from '../../runs/run/ended-line.ts'
import { RunStore } from '../../runs/store/run-store.ts'
import type { RequesterRuns } from '../runs/requester-runs.ts'
import { historyPage } from './history.ts'

const root = mkdtempSync(join(tmpdir(), 'it-host-history-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const FILTER = { lane: null, outcome: null, agent: '', project: '', command: '' }
const store = new RunStore({ stateDir: root, serverId: 'srv_1', now: () => 86_400_000 })
for (let i = 0; i < 450; i++) {
  const id = `req_${i}`
  const at = 86_400_000 + i
  const opened: OpenedLine = {
    ...{ type: 'opened', v: 1, id, trace_id: 't', client_request_id: null, requester: 'local', lane: 'headless' },
    ...{ adapter: 'headless_process', command: 'git', args: ['log', 'a b'], cwd: '/shop', workspace_id: null },
    ...{ env_names: ['TOKEN'], payload_hash: 'p', server: { id: 'srv_1', pid: 1, start: null }, at },
  }
  store.open(opened, 'made')
  store.appendAfter(endOf(id, at))
}
function endOf(id: string, at: number): EndedLine {
  return {
    ...{ type: 'ended', id, state: 'exited', at, started_at: at, took_ms: 1, exit_code: 0, signal: null },
    ...{ ended_by: null, why: null, destructive: false, survivors: [], output_bytes: 0, lost_bytes: 0, drained: true },
  }
}

/** A page of a window, what it was sent, and what the host was asked to run. */
function page() {
  const sent: HostToWindow[] = []
  const asked: Partial<CommandRequest>[] = []
  const find = (id: string) => {
    const run = store.find(id)
    if (!run?.ended) return null
    const { ended, directory } = run
    return { status: () => statusIn(ended), source: () => ({ directory, size: 0, over: true }) }
  }
  const one = { requester: 'local', store, registry: { find, ready: () => null } }
  const runs = { of: () => one, everybody: () => [one] } as unknown as RequesterRuns
  const open = historyPage({
    ...{ clock: systemClock, runs, journal: { rowsOf: () => [] }, version: '9' },
    ask: async (_, request) => void asked.push(request),
  }).open({ by: 'window', send: frame => void sent.push(frame) })
  const ask = async (frame: object): Promise<HostToWindow> => {
    const before = sent.length
    expect(open.receive({ request_id: 'w1', ...frame } as WindowFrame)).toBe(true)
    await expect.poll(() => sent.length).toBe(before + 1)
    return sent[before] as HostToWindow
  }
  return { ask, asked }
}

test('the list comes in parts, each asked for once; a place that was left is not found again', async () => {
  const { ask } = page()
  const ids: string[] = []
  let after: string | null = null
  const used: string[] = []
  do {
    const shown = await ask({ type: 'history_show', filter: FILTER, after })
    if (shown.type !== 'history_shown') throw new Error(JSON.stringify(shown))
    ids.push(...shown.items.map(({ session_id }) => session_id))
    after = shown.next
    if (after !== null) used.push(after)
  } while (after !== null)
  expect(ids).toEqual(Array.from({ length: 450 }, (_, i) => `req_${449 - i}`))
  const again = await ask({ type: 'history_show', filter: FILTER, after: used[0] })
  expect(again).toMatchObject({ type: 'failed', error: { code: 'PM_TERM_NOT_FOUND' } })
})

test('a run is found only under the name of somebody who has run something here', async () => {
  const { ask } = page()
  for (const requester of ['../..', 'nobody']) {
    const answer = await ask({ type: 'history_open', requester, session_id: 'req_1' })
    expect(answer).toMatchObject({ type: 'failed', error: { code: 'PM_TERM_NOT_FOUND' } })
  }
  expect(existsSync(join(root, 'clients'))).toBe(false)
  expect(await ask({ type: 'history_open', requester: 'local', session_id: 'req_1' })).toMatchObject({
    item: { command: "git log 'a b'", outcome: { exit_code: 0 } },
    said: { args: ['log', 'a b'] },
  })
})

test('run again asks for what ran, where it ran, always with a question, and says which variables are missing', async () => {
  const { ask, asked } = page()
  expect(await ask({ type: 'history_rerun', requester: 'local', session_id: 'req_1' })).toMatchObject({ type: 'done' })
  expect(asked).toEqual([
    {
      command: 'git',
      args: ['log', 'a b'],
      working_directory: '/shop',
      context: 'You asked for it in the history of runs. It had variables that are not set now: TOKEN.',
      approval_required: true,
    },
  ])
})
