import { beforeEach, expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import type { AnswerFrame, Question } from '../../contract/wire/approver-frames.ts'
import { ClientSessions } from '../clients/sessions.ts'
import { ApprovalQueue, type PendingQuestion, type QuestionOutcome } from './approval-queue.ts'

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
  queue = new ApprovalQueue({
    clock,
    ids: randomIds(),
    mostPerRequester: 3,
    mostInAll: 4,
    approverWaitMs: 15_000,
    armingMs: 400,
  })
  queue.listen({
    asked: question => told.push(`asked ${question.request_id}`),
    answered: (_, outcome, by) => told.push(`${outcome} by ${by}`),
    withdrawn: (_, why) => told.push(`withdrawn: ${why}`),
    turnedAway: () => told.push('turned away'),
  })
})

const asking = (id: string, more: Partial<PendingQuestion> = {}): PendingQuestion => ({
  requester: 'local',
  patienceMs: 60_000,
  question: ask_id => ({ ask_id, request_id: id, plan_hash: `hash of ${id}` }) as Question,
  judge: null,
  objection: () => null,
  commit: (decision, by) => void recorded.push([decision.kind, by]),
  ...more,
})

function ask(
  id: string,
  more: Partial<PendingQuestion> = {},
  signal = never,
): { outcome: () => QuestionOutcome | null } {
  let outcome: QuestionOutcome | null = null
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
    commit: () => {
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
  reaches: [],
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

test('what there is no room for is never asked: whoever asked hears so, and whoever answers does', async () => {
  for (const id of ['a', 'b', 'c']) ask(id)
  const fourth = ask('d')
  const other = ask('e', { requester: 'box' })
  const inAll = ask('f', { requester: 'jar' })
  await idle()
  expect([fourth.outcome(), other.outcome(), inAll.outcome()]).toEqual([
    { kind: 'too_many', waiting: 3 },
    null,
    { kind: 'too_many', waiting: 4 },
  ])
  expect([queue.turnedAway, told.filter(each => each === 'turned away').length]).toEqual([2, 2])
  expect(queue.pending.map(question => question.request_id)).toEqual(['a', 'b', 'c', 'e'])
})

test('§4: a card that was before somebody, though never read to its end, expires as silence and not as absence', async () => {
  queue.approversAre(1)
  const open = ask('a')
  queue.inView(answerTo('a').ask_id)
  queue.approversAre(0)
  await clock.advance(59_000)
  expect(open.outcome()).toBe(null)
  expect(queue.answer(answerTo('a'), approver)).toMatchObject({
    problem: expect.stringContaining('not on this screen'),
  })
  await clock.advance(1000)
  expect(open.outcome()).toEqual({ kind: 'expired' })
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
  sessions.owns({ session: 's', asker: null }, () => {
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

test('a no needs neither reading nor a delay: several that were never shown are declined at once, and no yes is', () => {
  queue.approversAre(1)
  ask('one')
  ask('other')
  expect(queue.answer(answerTo('one'), approver)).toMatchObject({ open: true })
  expect(queue.answer(answerTo('one', 'decline'), approver)).toEqual({ counted: true })
  expect(queue.answer(answerTo('other', 'decline'), approver)).toEqual({ counted: true })
})

test('an asker that has gone on: the card says so, and a yes counts only when that was read', async () => {
  queue.approversAre(1)
  const { outcome } = ask('left')
  await shown('left')
  queue.goneOn('box', 'left')
  expect(told).toEqual(['asked left'])
  queue.goneOn('local', 'left')
  expect(queue.pending).toMatchObject([{ request_id: 'left', asker_state: 'gone_on', revision: 1 }])
  expect(told).toEqual(['asked left', 'asked left'])
  expect(queue.answer(answerTo('left'), approver)).toEqual({
    problem: 'The question was not on this screen yet.',
    open: true,
  })
  // What was on its way when the mark came is about the card as it was.
  queue.shown(answerTo('left').ask_id, approver.id, 0)
  await clock.advance(400)
  expect(queue.answer(answerTo('left'), approver)).toMatchObject({ open: true })
  queue.shown(answerTo('left').ask_id, approver.id, 1)
  expect(queue.answer(answerTo('left'), approver)).toMatchObject({ problem: expect.stringContaining('too fast') })
  await clock.advance(400)
  queue.goneOn('local', 'left')
  expect(queue.answer(answerTo('left'), approver)).toEqual({ counted: true })
  await idle()
  expect(outcome()).toMatchObject({ kind: 'answered' })
})

test('a card that was read before its asker went on expires as one that was read', async () => {
  queue.approversAre(1)
  const { outcome } = ask('left')
  await shown('left')
  queue.goneOn('local', 'left')
  await clock.advance(60_000)
  expect(outcome()).toEqual({ kind: 'expired' })
})
