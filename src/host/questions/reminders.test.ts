import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { randomIds } from '../../base/ids.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { ApprovalQueue, type PendingQuestion } from './approval-queue.ts'
import { type LateQuestions, remindOfQuestions } from './reminders.ts'

const MINUTE = 60_000

function world(showsCommand = false) {
  const clock = new FakeClock()
  const queue = new ApprovalQueue({
    clock,
    ids: randomIds(),
    mostPerRequester: 9,
    mostInAll: 9,
    approverWaitMs: 60 * MINUTE,
    armingMs: 0,
  })
  queue.approversAre(1)
  const heard: string[] = []
  const notified: LateQuestions[] = []
  queue.listen({ asked() {}, answered() {}, withdrawn() {}, reminded: (_, stage) => void heard.push(stage) })
  const reminders = remindOfQuestions({ clock, queue, notify: late => void notified.push(late), showsCommand })
  return { clock, queue, heard, notified, reminders }
}

const asks = (command = 'npm publish'): PendingQuestion => ({
  requester: 'local',
  patienceMs: 4 * MINUTE,
  question: ask_id =>
    ({
      type: 'question',
      kind: 'command',
      ask_id,
      command,
      expires_in_ms: 4 * MINUTE,
      project: { directory: '/home/ann/shop', id: 'shop', kind: 'bound', trusted: true, why_not: null },
    }) as Question,
  judge: null,
  objection: () => null,
  commit() {},
})

test('a question that nobody answers is said again at half of its time, and a program of yours is told near its end', async () => {
  const { clock, queue, heard, notified } = world()
  void queue.ask(asks(), new AbortController().signal)
  await clock.advance(2 * MINUTE - 1)
  expect(heard).toEqual([])
  await clock.advance(1)
  expect([heard, notified]).toEqual([['half'], []])
  await clock.advance(MINUTE)
  expect(heard).toEqual(['half', 'late'])
  expect(notified).toEqual([{ waiting: 1, project: 'shop', expires_in_s: 60 }])
})

test('that program is told the command only where the person wants it', async () => {
  const { clock, queue, notified } = world(true)
  void queue.ask(asks('npm publish'), new AbortController().signal)
  await clock.advance(3 * MINUTE)
  expect(notified).toEqual([{ waiting: 1, project: 'shop', expires_in_s: 60, command: 'npm publish' }])
})

test('nothing is said again about a question that is over', async () => {
  const { clock, queue, heard, notified } = world()
  const cancel = new AbortController()
  void queue.ask(asks(), cancel.signal)
  cancel.abort()
  await clock.advance(10 * MINUTE)
  expect([heard, notified]).toEqual([[], []])
})

test('a host that ends reminds nobody', async () => {
  const { clock, queue, heard, reminders } = world()
  void queue.ask(asks(), new AbortController().signal)
  reminders.dispose()
  await clock.advance(3 * MINUTE)
  expect(heard).toEqual([])
})
