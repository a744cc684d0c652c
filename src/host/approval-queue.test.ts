import { beforeEach, expect, test } from 'vitest'
import { FakeClock, idle } from '../../test/fakes/fake-clock.ts'
import { randomIds } from '../base/ids.ts'
import type { AnswerFrame, Question } from '../contract/approver-frames.ts'
import { ApprovalQueue, type Asking, type Outcome } from './approval-queue.ts'
import { ClientSessions } from './client-sessions.ts'

const never = new AbortController().signal
const approver = { id: 'apr_1', name: 'ada' }
let clock: FakeClock
let queue: ApprovalQueue
let recorded: unknown[]
let told: string[]

beforeEach(() => {
  clock = new FakeClock()
  recorded = []
  told = []
  queue = new ApprovalQueue({ clock, ids: randomIds(), mostPerRequester: 3, approverWaitMs: 15_000, armingMs: 400 })
  queue.listen({
    asked: question => told.push(`asked ${question.request_id}`),
    answered: (_, outcome, by) => told.push(`${outcome} by ${by}`),
    withdrawn: (_, why) => told.push(`withdrawn: ${why}`),
  })
})

const asking = (id: string, more: Partial<Asking> = {}): Asking => ({
  requester: 'local',
  patienceMs: 60_000,
  question: ask_id => ({ ask_id, request_id: id, plan_hash: `hash of ${id}` }) as Question,
  judge: null,
  objection: () => null,
  record: (decision, by) => void recorded.push([decision.kind, by]),
  ...more,
})

function ask(id: string, more: Partial<Asking> = {}, signal = never): { outcome: () => Outcome | null } {
  let outcome: Outcome | null = null
  void queue.ask(asking(id, more), signal).then(ended => {
    outcome = ended
  })
  return { outcome: () => outcome }
}

const answerTo = (id: string, kind: 'approve' | 'decline' = 'approve'): AnswerFrame => ({
  type: 'answer',
  ask_id: queue.pending.find(question => question.request_id === id)?.ask_id ?? 'ask_none',
  plan_hash: `hash of ${id}`,
  decision: kind === 'approve' ? { kind, scope: { kind: 'once' } } : { kind, reason: null },
})

async function shown(id: string): Promise<void> {
  queue.shown(answerTo(id).ask_id, approver.id)
  await clock.advance(400)
}

test('silence after it was shown is an expiry; never having been shown is not', async () => {
  queue.approversAre(1)
  const seen = ask('seen')
  const unseen = ask('unseen')
  await shown('seen')
  await clock.advance(60_000)
  expect([seen.outcome(), unseen.outcome()]).toEqual([{ kind: 'expired' }, { kind: 'nobody' }])
  expect(recorded).toEqual([])
})

test('with nobody there it waits so long for somebody to come, and no longer', async () => {
  const alone = ask('a')
  await clock.advance(14_999)
  expect(alone.outcome()).toBe(null)
  await clock.advance(1)
  expect(alone.outcome()).toEqual({ kind: 'nobody' })
})

test('somebody who comes in time is asked for as long as patience lasts', async () => {
  const waiting = ask('a')
  await clock.advance(10_000)
  queue.approversAre(1)
  await clock.advance(40_000)
  expect(waiting.outcome()).toBe(null)
})

test('an approver who leaves before it was shown leaves it alone again', async () => {
  queue.approversAre(1)
  const waiting = ask('a')
  queue.approversAre(0)
  await clock.advance(15_000)
  expect(waiting.outcome()).toEqual({ kind: 'nobody' })
})

test('what was shown once waits for its answer also when the approver has gone', async () => {
  queue.approversAre(1)
  const waiting = ask('a')
  await shown('a')
  queue.approversAre(0)
  await clock.advance(30_000)
  expect(waiting.outcome()).toBe(null)
})

test('the first answer counts, and is written down before it does', async () => {
  queue.approversAre(2)
  const open = ask('a')
  await shown('a')
  queue.shown(answerTo('a').ask_id, 'apr_2')
  await clock.advance(400)
  const second = answerTo('a', 'decline')
  expect(queue.answer(answerTo('a'), approver)).toEqual({ counted: true })
  expect(queue.answer(second, { id: 'apr_2', name: 'bob' })).toMatchObject({ open: false })
  await idle()
  expect([open.outcome()?.kind, recorded, told]).toEqual([
    'answered',
    [['approve', 'ada']],
    ['asked a', 'approved by ada'],
  ])
})

test('a no counts also before all of it was seen: it starts nothing', async () => {
  queue.approversAre(1)
  const open = ask('a')
  expect(queue.answer(answerTo('a', 'decline'), approver)).toMatchObject({ problem: expect.stringContaining('fast') })
  await clock.advance(400)
  expect(queue.answer(answerTo('a'), approver)).toMatchObject({
    problem: expect.stringContaining('not on this screen'),
  })
  expect(queue.answer(answerTo('a', 'decline'), approver)).toEqual({ counted: true })
  await idle()
  expect(open.outcome()).toMatchObject({ kind: 'answered', decision: { kind: 'decline' } })
})

test('an answer that cannot be written down does not count', async () => {
  queue.approversAre(1)
  const open = ask('a', {
    record: () => {
      throw new Error('the disk is full')
    },
  })
  await shown('a')
  expect(queue.answer(answerTo('a'), approver)).toMatchObject({ open: true, problem: expect.stringContaining('disk') })
  await idle()
  expect(open.outcome()).toBe(null)
})

const judgement = (command: string) => ({
  plan_hash: `plan of ${command}`,
  problem: null,
  verdict: { verdict: 'approval' as const, why: '' },
  grave: false,
  executables: [],
})
const editTo = (id: string, command: string, plan_hash = `plan of ${command}`): AnswerFrame => ({
  ...answerTo(id),
  decision: { kind: 'edit', command, plan_hash },
})

test('an edited line counts only as it was last judged for this approver, and not before it could be read', async () => {
  queue.approversAre(1)
  const open = ask('a', { judge: judgement })
  await shown('a')
  const { ask_id } = answerTo('a')
  const unread = { problem: expect.stringContaining('not on this screen yet'), open: true }
  expect(queue.answer(editTo('a', 'expr two'), approver)).toEqual(unread)
  queue.judge(ask_id, 'expr two', approver.id)
  expect(queue.answer(editTo('a', 'expr two'), approver)).toMatchObject({
    problem: expect.stringContaining('too fast'),
  })
  await clock.advance(400)
  expect(queue.answer(editTo('a', 'expr two'), { id: 'apr_2', name: 'bob' })).toMatchObject({ open: true })
  expect(queue.answer(editTo('a', 'expr two', 'another plan'), approver)).toEqual(unread)
  expect(queue.answer(editTo('a', 'expr three', 'plan of expr two'), approver)).toEqual(unread)
  queue.judge(ask_id, 'expr three', approver.id)
  await clock.advance(400)
  expect(queue.answer(editTo('a', 'expr two'), approver)).toEqual(unread)
  expect(queue.answer(editTo('a', 'expr three'), approver)).toEqual({ counted: true })
  await idle()
  expect(open.outcome()).toMatchObject({ kind: 'answered', decision: { kind: 'edit', command: 'expr three' } })
})

test('withdrawn is withdrawn: no answer counts after it', async () => {
  queue.approversAre(1)
  const cancel = new AbortController()
  const open = ask('a', {}, cancel.signal)
  await shown('a')
  const late = answerTo('a')
  cancel.abort('asker_gone')
  expect(queue.answer(late, approver)).toMatchObject({ open: false })
  await idle()
  expect([open.outcome(), recorded, told.at(-1)]).toEqual([{ kind: 'withdrawn' }, [], 'withdrawn: asker_gone'])
})

test('order stays as asked, and one requester has only so much room', () => {
  for (const id of ['a', 'b', 'c']) ask(id)
  expect([queue.hasRoom('local'), queue.hasRoom('box'), queue.ahead('c')]).toEqual([false, true, 2])
  expect(queue.pending.map(question => question.request_id)).toEqual(['a', 'b', 'c'])
})

test('no timer is left when all is answered', async () => {
  queue.approversAre(1)
  ask('a')
  await shown('a')
  queue.answer(answerTo('a', 'decline'), approver)
  expect(clock.pending).toBe(0)
})

test('a question outlives a lost connection by 15 s, and no longer', async () => {
  const sessions = new ClientSessions(clock)
  let withdrawn = 0
  const arrive = () => sessions.arrive('s', { name: 'a client', requester: 'local' }, () => {})
  const first = arrive()
  sessions.owns('s', () => {
    withdrawn += 1
  })
  first.dispose()
  await clock.advance(14_000)
  const again = arrive()
  await clock.advance(60_000)
  expect(withdrawn).toBe(0)
  again.dispose()
  await clock.advance(15_000)
  expect(withdrawn).toBe(1)
})

test('a no needs no reading: several that were never shown are declined at once, and no yes is', async () => {
  queue.approversAre(1)
  ask('one')
  ask('other')
  // A key that was in flight when they came decides nothing.
  expect(queue.answer(answerTo('one', 'decline'), approver)).toMatchObject({ open: true })
  await clock.advance(400)
  expect(queue.answer(answerTo('one'), approver)).toMatchObject({ open: true })
  expect(queue.answer(answerTo('one', 'decline'), approver)).toEqual({ counted: true })
  expect(queue.answer(answerTo('other', 'decline'), approver)).toEqual({ counted: true })
})
