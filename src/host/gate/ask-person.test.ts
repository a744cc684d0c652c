import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import { Watchers } from '../../base/watchers.ts'
import type { AnswerFrame } from '../../contract/wire/approver-frames.ts'
import type { Scope } from '../../contract/wire/scope.ts'
import { RuleFiles } from '../../policy/files/rule-files.ts'
import { TryFirst } from '../../runs/jail/try-first.ts'
import type { Run } from '../../runs/run/run.ts'
import { ApprovalQueue, QUESTION_LIMITS } from '../questions/approval-queue.ts'
import { KeptDeclines } from '../questions/kept-declines.ts'
import { Presence } from '../questions/presence.ts'
import { ScopedRules } from '../questions/scoped-rules.ts'
import type { RunsTerminal } from '../terminals/terminal.ts'
import { Terminals } from '../terminals/terminals.ts'
import { type AskDeps, askPerson, GRAVE_TEXT } from './ask-person.ts'
import { InteractiveGate } from './gate.ts'
import type { PreparedRequest } from './prepared-request.ts'

const ADA = { id: 'apr_1', name: 'ada (apr_1)' }
const ARMING_MS = 400
const WAIT_MS = 1000
const never = new AbortController().signal

let root: string
let cwd: string
let clock: FakeClock
let rows: { readonly kind: string; readonly body: Record<string, unknown> }[]
let append: (row: (typeof rows)[number]) => void
let presence: Presence
let queue: ApprovalQueue
let scoped: ScopedRules
let declines: KeptDeclines
let terminals: Terminals
let terminal: RunsTerminal

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'it-ask-')))
  cwd = join(root, 'project')
  mkdirSync(cwd)
  clock = new FakeClock()
  const ids = randomIds()
  rows = []
  append = row => void rows.push(row)
  presence = new Presence(clock)
  queue = new ApprovalQueue({ clock, ids, ...QUESTION_LIMITS, approverWaitMs: WAIT_MS, armingMs: ARMING_MS })
  presence.watch(() => queue.approversAre(presence.count))
  scoped = new ScopedRules(clock, ids)
  declines = new KeptDeclines(clock, ids)
  terminals = new Terminals(ids)
  terminal = terminals.create({ requester: 'local', workspaceId: 'ws', home: cwd, profile: 'bash' })
})
afterEach(() => rmSync(root, { recursive: true }))

/** Puts the line to the person; `state` moves the run as the lane would. */
function ask(command: string) {
  const ruleFiles = new RuleFiles({ dataDir: join(root, 'data'), now: () => 0 })
  ruleFiles.bind('ws', cwd, true)
  const ground = { home: root, tmp: [], ours: [] } as unknown as AskDeps['ground']
  const world = { env: { PATH: '/usr/bin:/bin' }, home: root, shell: '/bin/bash', platform: process.platform }
  const gate = new InteractiveGate({
    world: { ...world, tmp: [], ours: [], ground },
    settings: { PM_TERM_AUTO_APPROVE: 'allowlist', PM_TERM_GRAVE: 'confirm', PM_TERM_HAND_ON: '' },
    ruleFiles,
    scoped,
    declines,
    tries: new TryFirst({ make: () => ({ problem: 'none here' }), doubt() {} }),
    shellFiles: join(root, 'shell'),
  })
  const each = (row: unknown) => append(row as (typeof rows)[number])
  const journal = { append: each, appendSoon: each } as unknown as AskDeps['journal']
  const previews = { start() {} }
  const known = {
    clock,
    queue,
    presence,
    previews,
    journal,
    gate,
    scoped,
    declines,
    ruleFiles,
    ground,
    terminals,
    person: world,
  }
  const port = askPerson({ ...known, times: { patienceMs: 60_000 }, approverWaitMs: WAIT_MS })

  const watchers = new Watchers()
  const run = {
    request: { id: 'req_1', command, args: null, env: {}, killAfterMs: null },
    state: { at: 'awaiting_approval' },
    note: null,
    watch: (watcher: () => void) => watchers.add(watcher),
  }
  const prepared = {
    frame: { request_id: 'req_1', trace_id: 't', intent: 'execute_command' },
    place: { cwd, venv: null, workspaceDirectory: cwd },
    how: 'run',
    requester: 'local',
    marks: [],
    terminal,
  } as unknown as PreparedRequest
  const judged = gate.judge(prepared, run as unknown as Run, undefined)
  const question = { run: run as unknown as Run, ...judged, changed: [] }
  const by = { requester: 'local', client: 'an agent' }
  const move = (at: string) => {
    run.state = { at }
    watchers.notify()
  }
  return { answered: port.ask(prepared, question, by, never), move }
}

/** What an approver does who has read the card. */
async function answer(decision: AnswerFrame['decision']) {
  const [question] = queue.pending
  if (!question) throw new Error('nothing is asked')
  queue.shown(question.ask_id, ADA.id)
  await clock.advance(ARMING_MS)
  return queue.answer({ type: 'answer', ask_id: question.ask_id, plan_hash: question.plan_hash ?? '', decision }, ADA)
}
const approve = (scope: Scope = { kind: 'once' }, typed?: string) =>
  answer({ kind: 'approve', scope, ...(typed !== undefined && { typed }) })
const kinds = () => rows.map(({ kind }) => kind)

test('that it was asked and how it was answered is written down, and once is once', async () => {
  presence.add(ADA.id, 'ada')
  const { answered } = ask('make install')
  expect(queue.pending).toMatchObject([{ command: 'make install', terminal_id: terminal.id, cwd, grave: false }])
  expect(await approve()).toEqual({ counted: true })
  expect(await answered).toEqual({ kind: 'approved', instead: null })
  expect(kinds()).toEqual(['asked', 'answered'])
  expect(rows[1]?.body).toMatchObject({ kind: 'approve', by: ADA.name })
  expect(scoped.held()).toEqual([])
})

test('an answer that cannot be written down does not count, and the question stays', async () => {
  presence.add(ADA.id, 'ada')
  const { answered } = ask('make install')
  const write = append
  append = () => {
    throw new Error('disk full')
  }
  expect(await approve()).toMatchObject({ problem: expect.stringContaining('disk full'), open: true })
  expect(queue.pending).toHaveLength(1)
  append = write
  await answer({ kind: 'decline', reason: 'not now' })
  expect(await answered).toEqual({ kind: 'declined', reason: 'not now' })
})

test('a no for the day is written down, and the same command is then refused with it, in whatever dress, and nobody is asked', async () => {
  presence.add(ADA.id, 'ada')
  const first = ask('make install')
  await answer({ kind: 'decline', reason: 'not on a Friday', keep: 'project' })
  expect(await first.answered).toEqual({ kind: 'declined', reason: 'not on a Friday' })
  expect(rows[1]?.body).toMatchObject({ kind: 'decline', keep: 'project', by: ADA.name })

  const again = await ask("sh -c 'make install' | tail -1").answered
  const [kept] = declines.list()
  expect(again).toEqual({
    kind: 'declined',
    reason: 'not on a Friday',
    kept: { since: kept?.since, until: kept?.until },
  })
  expect(queue.pending).toEqual([])
  expect(kinds()).toEqual(['asked', 'answered', 'answered'])
  expect(rows[2]?.body).toMatchObject({ kind: 'decline', reason: 'not on a Friday', kept: kept?.decline_id })
  expect(kept).toMatchObject({ command: 'make install', directory: cwd, refused: 1 })
  ask('make test-all')
  expect(queue.pending).toHaveLength(1)
})

test('a no for the day that cannot be written down keeps nothing; nor does a plain no', async () => {
  presence.add(ADA.id, 'ada')
  ask('make install')
  const write = append
  append = () => {
    throw new Error('disk full')
  }
  expect(await answer({ kind: 'decline', reason: null, keep: 'agent' })).toMatchObject({ open: true })
  expect(declines.list()).toEqual([])
  append = write
  await answer({ kind: 'decline', reason: null })
  expect(declines.list()).toEqual([])
})

test('an approval for the terminal is kept for this terminal', async () => {
  presence.add(ADA.id, 'ada')
  ask('make install')
  expect(await approve({ kind: 'terminal', rules: ['make install'] })).toEqual({ counted: true })
  expect(scoped.held()).toMatchObject([{ kind: 'terminal', rules: ['make install'], terminal_id: terminal.id }])
})

test('a rule that the card did not offer is not kept, and nothing is approved with it', async () => {
  presence.add(ADA.id, 'ada')
  ask('make install')
  expect(await approve({ kind: 'terminal', rules: ['rm *'] })).toMatchObject({ open: true })
  expect([scoped.held(), kinds()]).toEqual([[], ['asked']])
})

test('what is hard to undo is approved only by who types the words', async () => {
  presence.add(ADA.id, 'ada')
  const { answered } = ask('git push --force')
  expect(await approve()).toMatchObject({ problem: expect.stringContaining(GRAVE_TEXT), open: true })
  expect(await approve({ kind: 'once' }, GRAVE_TEXT)).toEqual({ counted: true })
  expect(await answered).toMatchObject({ kind: 'approved' })
})

test('an edited line runs as it was judged and shown, and no line that was not', async () => {
  presence.add(ADA.id, 'ada')
  const { answered } = ask('make install')
  const ask_id = queue.pending[0]?.ask_id ?? ''
  const unseen = { kind: 'edit', command: 'make all', plan_hash: 'made up' } as const
  expect(await answer(unseen)).toMatchObject({ open: true })
  const judged = queue.judge(ask_id, 'make all', ADA.id)
  const plan_hash = 'plan_hash' in judged ? (judged.plan_hash ?? '') : ''
  expect(await answer({ kind: 'edit', command: 'make all', plan_hash })).toEqual({ counted: true })
  expect(await answered).toMatchObject({ kind: 'approved', instead: { command: 'make all' } })
  expect(kinds()).toEqual(['asked', 'judged', 'answered'])
})

test('with nobody there it ends after the wait, and says what is known to be wrong', async () => {
  presence.problem = 'there is no screen'
  let called = 0
  presence.onUnattended(() => {
    called += 1
  })
  const { answered } = ask('make install')
  await clock.advance(WAIT_MS)
  expect(await answered).toEqual({ kind: 'nobody', why: 'there is no screen' })
  expect(called).toBe(1)
})

test('whoever approved it hears when nothing came of it', async () => {
  presence.add(ADA.id, 'ada')
  const { move } = ask('make install')
  const unstarted: string[] = []
  queue.listen({ asked() {}, answered() {}, withdrawn() {}, notStarted: id => unstarted.push(id) })
  const ask_id = queue.pending[0]?.ask_id
  await approve()
  await clock.advance(0)
  move('failed')
  expect(unstarted).toEqual([ask_id])
})
