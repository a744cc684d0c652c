import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import { processTable } from '../../base/process/process-table.ts'
import type { PtyCommand, PtyEnd } from '../../base/process/pty.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import { type Journal, openJournal } from '../../runs/journal/journal.ts'
import { makePlan } from '../../runs/plan/plan.ts'
import type { Answer } from '../../runs/run/approver.ts'
import type { Run } from '../../runs/run/run.ts'
import type { PreparedRequest } from '../gate/prepared-request.ts'
import { Terminals } from '../terminals/terminals.ts'
import { BlockedCommandList } from './blocked-commands.ts'
import { InteractiveLane, type LaneDeps } from './interactive-lane.ts'
import { RequesterRuns } from './requester-runs.ts'

const BY = { requester: 'local', client: 'an agent' }
const log = { debug() {}, info() {}, warn() {}, error() {} }
const platform = process.platform

let root: string
let clock: FakeClock
let journal: Journal
let terminals: Terminals
let lane: InteractiveLane
let verdict: Verdict['verdict']
let answer: (signal: AbortSignal) => Promise<Answer>
let started: { readonly command: PtyCommand; readonly end: (end: PtyEnd) => void }[]

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'it-lane-')))
  mkdirSync(join(root, 'project'))
  clock = new FakeClock()
  // Stores are handed the function alone.
  clock.now = clock.now.bind(clock)
  journal = await openJournal(join(root, 'journal.db'), clock.now)
  terminals = new Terminals(randomIds())
  verdict = 'auto'
  answer = async () => ({ kind: 'approved', instead: null })
  started = []
  lane = new InteractiveLane(deps())
})
afterEach(() => {
  journal.close()
  rmSync(root, { recursive: true, force: true })
})

function deps(): LaneDeps {
  const killer = { table: processTable(platform), platform, clock }
  const limits = { quotaBytes: 1e6, totalBytes: 1e6, retentionDays: 1, graceMs: 0 }
  const settled = { fateOf: () => null, onSettled: () => {} }
  const host = { pid: process.pid, start: null, version: 'test' }
  const runs = new RequesterRuns({ stateDir: root, hostId: 'host_1', clock, log, killer, host, ...limits, ...settled })
  return {
    ...{ clock, log, runs, journal, terminals, killer },
    home: join(root, 'project'),
    gate: { workspaceAt: () => null, judge } as unknown as LaneDeps['gate'],
    pty: { ready: async () => {}, start } as unknown as LaneDeps['pty'],
    approvals: { ask: (_1, _2, _3, signal) => answer(signal), present: async () => true, absence: () => null },
    additions: { notice() {} } as unknown as LaneDeps['additions'],
    blocked: new BlockedCommandList(clock),
  }
}

function judge({ place: { cwd } }: PreparedRequest, { request: { command } }: Run) {
  const said: Verdict = { verdict, why: 'as the test says', parts: [], flags: [], tier: 'none', reaches: [] }
  return { verdict: said, plan: () => makePlan({ command, argv: ['/bin/true'], cwd, env: {}, program: '/bin/true' }) }
}

async function start(command: PtyCommand) {
  let end = (_: PtyEnd): void => {}
  const ended = new Promise<PtyEnd>(resolve => {
    end = resolve
  })
  started.push({ command, end })
  const output = { size: 0, lost: 0 }
  return { pid: 1, pidStart: null, owner: null, startedAt: clock.now(), ended, output, forget() {} }
}

const EXIT: PtyEnd = { exitCode: 0, signal: null, drained: true, carried: null, at: 0 }
const request = (id: string, more: Partial<CommandRequest> = {}): CommandRequest =>
  ({
    type: 'command_request',
    request_id: id,
    trace_id: 't',
    intent: 'execute_command',
    command: 'true',
    ...more,
  }) as CommandRequest
const kindsOf = (id: string) => journal.rowsOf(id).map(({ kind }) => kind)
const settled = () => clock.advance(0)

test('what a rule covers starts, and is written down before and after', async () => {
  const { view } = lane.start(request('a'), BY)
  await settled()
  expect(view.status().state.at).toBe('running')
  expect(kindsOf('a')).toEqual(['received', 'judged', 'starting', 'started'])
  started[0]?.end(EXIT)
  await settled()
  expect(view.status()).toMatchObject({ state: { at: 'exited', exitCode: 0 } })
  expect(kindsOf('a').at(-1)).toBe('ended')
  expect([lane.count, terminals.all[0]?.busyWith]).toEqual([0, null])
})

test('the same request twice is one run, and its id stands for no other command', async () => {
  const first = lane.start(request('a'), BY)
  await settled()
  expect(lane.start(request('a'), BY).view.opened).toEqual(first.view.opened)
  await settled()
  expect(started).toHaveLength(1)
  expect(() => lane.start(request('a', { command: 'false' }), BY)).toThrow('already stands for another command')
  // Another requester's is another run.
  lane.start(request('a', { command: 'false' }), { ...BY, requester: 'other' })
  await settled()
  expect(started).toHaveLength(2)
})

test('two commands at once get two terminals; one that names a busy terminal waits for its turn there', async () => {
  const first = lane.start(request('a'), BY)
  const second = lane.start(request('b'), BY)
  expect(second.terminalId).not.toBe(first.terminalId)
  const third = lane.start(request('c', { terminal_id: first.terminalId ?? '' }), BY)
  await settled()
  expect(third.view.status().state.at).toBe('received')
  started[0]?.end(EXIT)
  await settled()
  expect(third.view.status().state.at).toBe('running')
  expect(started.map(({ command }) => command.runId)).toEqual(['a', 'b', 'c'])
})

test('what a person declines never starts', async () => {
  verdict = 'approval'
  answer = async () => ({ kind: 'declined', reason: 'not now' })
  const { view } = lane.start(request('a'), BY)
  await settled()
  expect(view.status()).toMatchObject({ state: { at: 'declined', reason: 'not now' } })
  expect(started).toEqual([])
})

test('withdrawn while a person is asked, it never starts; while it runs, withdrawing changes nothing', async () => {
  verdict = 'approval'
  answer = signal => new Promise(resolve => signal.addEventListener('abort', () => resolve({ kind: 'withdrawn' })))
  const asked = lane.start(request('a'), BY)
  await settled()
  expect(asked.view.status().state.at).toBe('awaiting_approval')
  asked.withdraw('cancelled')
  await settled()
  expect(asked.view.status().state.at).toBe('withdrawn')

  verdict = 'auto'
  const running = lane.start(request('b'), BY)
  await settled()
  running.withdraw('cancelled')
  await settled()
  expect(running.view.status().state.at).toBe('running')
})

test('a request that cannot be written down is refused, and nothing starts', async () => {
  journal.appendSoon = () => {
    throw new Error('disk full')
  }
  expect(() => lane.start(request('a'), BY)).toThrow('The journal cannot be written, so nothing was started')
  await settled()
  expect([lane.count, started]).toEqual([0, []])
})

test('a shell the person opens is no run that others wait for, and leaves no empty tab when it ends', async () => {
  const open = request('s', { intent: 'open_only', terminal_profile: 'sh' })
  const { terminalId } = lane.start(open, { ...BY, requester: 'person', isPerson: true })
  await settled()
  const [terminal] = terminals.all
  expect(terminal).toMatchObject({ id: terminalId, kind: 'shell', shellRun: 's', busyWith: null })
  started[0]?.end(EXIT)
  await settled()
  expect(terminals.all).toEqual([])
})
