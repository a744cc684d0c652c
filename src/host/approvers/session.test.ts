import { beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import { linkPair } from '../../base/link/link.ts'
import { Presence } from '../questions/presence.ts'
import { ApproverAdmissions } from './admissions.ts'
import { type AdmittedApprover, ApproverSession, type SessionDeps } from './session.ts'

const HEARTBEAT_MS = 1000
const nothing = { dispose() {} }
let clock: FakeClock
let presence: Presence
let rows: unknown[]
let answers: unknown[]
let sent: { readonly type: string; readonly reason?: string }[]
let closed: string | null

beforeEach(() => {
  clock = new FakeClock()
  presence = new Presence(clock)
  rows = []
  answers = []
  sent = []
  closed = null
})

function admit(who: Partial<AdmittedApprover> = {}, journal: unknown = { append: (row: unknown) => rows.push(row) }) {
  const [hosts, approvers] = linkPair('approver')
  approvers.onFrame(frame => void sent.push(frame as (typeof sent)[number]))
  approvers.onClose(reason => {
    closed = reason
  })
  const deps = {
    clock,
    presence,
    journal,
    ids: randomIds(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    admissions: new ApproverAdmissions({ clock, ids: randomIds() }),
    queue: {
      listen: () => nothing,
      pending: [],
      turnedAway: 0,
      answer: (...all: unknown[]) => answers.push(all) && {},
    },
    lane: { count: 0, watch: () => nothing },
    left: { list: () => [], watch: () => nothing },
    blocked: { count: 0, items: [], watch: () => nothing },
    previews: { listen: () => nothing, edited: () => {} },
    desk: { watch: () => nothing, all: [], away: [] },
    showWindow: () => Promise.resolve({ shown: true, message: 'there' }),
    heartbeatMs: HEARTBEAT_MS,
    armingMs: 400,
    instanceId: 'host_1',
    inContainer: false,
  }
  const session = ApproverSession.admit(deps as unknown as SessionDeps, hosts, {
    name: 'ada',
    surface: 'terminal',
    how: 'code',
    ...who,
  })
  session?.greet()
  session?.begin()
  return session
}

const ANSWER = { type: 'answer', ask_id: 'ask_1', plan_hash: 'h', decision: { kind: 'decline', reason: null } }

test('whoever is admitted is written down first, counts as present, and answers under a name of its own', async () => {
  const session = admit()
  expect(rows).toMatchObject([{ kind: 'approver_admitted', body: { approver_id: session?.id, admission: 'code' } }])
  expect(presence.names).toEqual(['ada'])
  session?.receive(ANSWER)
  expect(answers).toMatchObject([[{ ask_id: 'ask_1' }, { id: session?.id, name: `ada (${session?.id})` }]])
  session?.dispose()
  expect(presence.count).toBe(0)
})

test('what cannot be written down did not happen: nobody is admitted', async () => {
  const broken = {
    append() {
      throw new Error('disk full')
    },
  }
  expect(admit({}, broken)).toBeNull()
  await clock.advance(0)
  expect(sent).toMatchObject([{ type: 'refused', reason: expect.stringContaining('cannot write down') }])
  expect(presence.count).toBe(0)
})

test('whoever only looks on at a terminal is shown no question, and cannot answer one', async () => {
  const session = admit({ surface: 'attach' })
  expect(presence.count).toBe(0)
  session?.receive(ANSWER)
  await clock.advance(0)
  expect(answers).toEqual([])
  expect(sent.at(-1)).toMatchObject({ type: 'refused' })
  expect(closed).not.toBeNull()
})

test('a window does not say on which screen it is shown; an approver in a terminal does', async () => {
  const screen = { type: 'use_screen', env: { DISPLAY: ':1' } }
  admit()?.receive(screen)
  await clock.advance(0)
  expect(sent.at(-1)).toMatchObject({ type: 'screen_used', shown: true })
  admit({ surface: 'window', how: 'ticket' })?.receive(screen)
  await clock.advance(0)
  expect(sent.at(-1)).toMatchObject({ type: 'refused', reason: expect.stringContaining('in a terminal') })
})

test('an approver that gives no sign of life is cut off', async () => {
  const session = admit()
  await clock.advance(HEARTBEAT_MS * 3)
  session?.receive({ type: 'heartbeat' })
  await clock.advance(HEARTBEAT_MS * 3)
  expect(closed).toBeNull()
  await clock.advance(HEARTBEAT_MS)
  expect(closed).toBe('no sign of life')
})
