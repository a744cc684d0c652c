import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownNodeEnv, ownNodeFlags } from '../../src/base/process/small-node.ts'
import { openJournal } from '../../src/runs/journal/journal.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import type { FakeApprover, FakeClient } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'

/** What grows with a host: what its journal holds, and how many terminals are open. Columns of each part, and its rows. */
type Say = (cells: readonly string[]) => void

export const HOST_COLUMNS = [
  'processor time until ready',
  '`list`',
  'a verdict and the end',
  'host, MB',
  'pty-host, MB',
]
export const TERMINAL_COLUMNS = ['open another', 'a key until its echo', 'host, MB', 'pty-host, MB']
const LOOKS = 9
/** Longer than what is done soon after the start, and than V8 takes to let go of what that needed. */
const SETTLE_MS = 12_000
const DAY_MS = 86_400_000

/** A host on a journal of so many rows, the last of which is the end of the host before it. */
export async function journalRows(counts: readonly number[], say: Say): Promise<void> {
  for (const count of counts) {
    const at = new HostProcesses()
    await fill(at, count)
    // The first start makes indexes, is given the passphrase, which seals what counts, and ends in order.
    await at.start()
    await at.meet()
    await at.end()
    const host = await at.start()
    const ready = workedMs(host.pid)
    const { client } = await at.meet()
    const list = await median(LOOKS, () => listed(client))
    const run = await median(LOOKS, () => client.response(at.line(client, 'true')))
    await pause(SETTLE_MS)
    say([`${count} journal rows, host`, ready.toFixed(0), list.toFixed(1), run.toFixed(1), ...memory(at)])
    await at.close()
  }
}

/** So many shells of the person, each with its prompt. */
export async function terminalRows(counts: readonly number[], say: Say): Promise<void> {
  const at = new HostProcesses()
  await at.start()
  const { approver } = await at.meet()
  const open: string[] = []
  for (const count of counts) {
    let took = 0
    while (open.length < count) {
      const began = performance.now()
      open.push(await shell(approver))
      took = performance.now() - began
    }
    const newest = open.at(-1) ?? ''
    await prompted(approver, newest)
    const echo = await median(25, () => echoed(approver, newest))
    await pause(SETTLE_MS)
    say([`${count} terminals open`, took.toFixed(1), echo.toFixed(1), ...memory(at)])
  }
  await at.close()
}

/** The options of a host that a server starts. */
const AS_LAUNCHED = {
  ...ownNodeEnv({}),
  NODE_OPTIONS: ownNodeFlags()
    .filter(flag => flag.includes('semi-space'))
    .join(' '),
}

/** Idle for a while: no client, nobody who watches. */
export async function idleMemory(settleMs = SETTLE_MS): Promise<readonly string[]> {
  const at = new HostProcesses()
  await at.start([], AS_LAUNCHED)
  await pause(settleMs)
  const figures = memory(at)
  await at.close()
  return figures
}

/** In the order of the index: a million rows are written in seconds. */
const runIdOf = (i: number): string => `req_bench${String(i).padStart(7, '0')}`

/** Behind what the person decided. */
async function fill(at: HostProcesses, count: number): Promise<void> {
  const state = join(at.place.home, 'state')
  const journal = await openJournal(join(state, 'journal.db'), () => Date.now() - DAY_MS)
  const body = { command: 'git status --short', payload_hash: '0'.repeat(64) }
  for (let i = 0; i < count; i += 4)
    for (const kind of ['received', 'judged', 'starting', 'ended'] as const)
      journal.appendSoon({ kind, requester: 'local', runId: runIdOf(i), body })
  journal.close()
}

const listed = async (client: FakeClient): Promise<void> => {
  const request = client.ask('list')
  await client.heard.next('listed', frame => frame.request_id === request)
}

let asked = 0
const SIZE = { cols: 80, rows: 24 }
async function shell(person: FakeApprover): Promise<string> {
  const request_id = `b${++asked}`
  person.send({ type: 'terminal_create', request_id, profile: 'bash', cwd: null, workspace_id: null, ...SIZE })
  const { terminal_id } = await person.heard.next('done', frame => frame.request_id === request_id)
  if (terminal_id === null) throw new Error('no terminal was opened')
  return terminal_id
}

const bytesHeard = (person: FakeApprover): number =>
  person.heard.all.reduce((sum, frame) => sum + (frame.type === 'terminal_output' ? frame.data.length : 0), 0)

async function prompted(person: FakeApprover, terminal_id: string): Promise<void> {
  const before = bytesHeard(person)
  const watch = { type: 'terminal_watch', request_id: `b${++asked}`, terminal_id, run_id: null, have: null } as const
  person.send({ ...watch, every_byte: true, ...SIZE })
  await eventually('its prompt', () => bytesHeard(person) > before)
  await pause(500)
}

async function echoed(person: FakeApprover, terminal_id: string): Promise<void> {
  const before = bytesHeard(person)
  person.send({ type: 'terminal_input', terminal_id, data: Buffer.from('x').toString('base64') })
  while (bytesHeard(person) === before) await new Promise(setImmediate)
}

async function median(times: number, act: () => Promise<unknown>): Promise<number> {
  const seen: number[] = []
  for (let i = 0; i < times; i++) {
    const began = performance.now()
    await act()
    seen.push(performance.now() - began)
  }
  return seen.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0
}

/** What its own thread worked: neighbours do not count. */
const workedMs = (pid: number | undefined): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6

/** PSS of host and pty-host: what is shared between processes counts for each by its share. */
const memory = (at: HostProcesses): string[] =>
  (['host', 'pty-host'] as const).map(what => {
    const pid = at.told(what)?.pid
    if (pid === undefined) return '-'
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
    return (Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024).toFixed(1)
  })
