import { expect, test } from 'vitest'
import { dayNumbers } from './day-numbers.ts'
import type { JournalKind, JournalRow } from './journal-row.ts'

let seq = 0
const row = (kind: JournalKind, runId: string, at: number, body: Record<string, unknown> = {}): JournalRow => ({
  seq: ++seq,
  at,
  kind,
  requester: 'local',
  runId,
  body,
  prev: '',
  hash: '',
})

test('a day has what was asked, how it was answered, how fast, and what needed no question', () => {
  const rows = [
    row('judged', 'a', 0, { verdict: 'approval' }),
    row('asked', 'a', 0),
    row('answered', 'a', 400, { kind: 'approve' }),
    row('asked', 'b', 1000),
    row('answered', 'b', 6000, { kind: 'decline' }),
    row('asked', 'c', 2000),
    row('answered', 'c', 4000, { kind: 'edit' }),
    row('asked', 'waits', 9000),
    row('judged', 'd', 9000, { verdict: 'auto' }),
    row('judged', 'e', 9000, { verdict: 'destructive' }),
  ]
  const numbers = { asked: 4, approved: 2, declined: 1, median_ms: 2000, under_a_second: 1, by_rule: 1, refused: 1 }
  expect(dayNumbers(rows)).toEqual(numbers)
  expect(dayNumbers(rows.reverse())).toEqual(numbers)
})

test('an answer that did not count, or to a question of the day before, is no answer of the day', () => {
  const rows = [
    row('asked', 'a', 0),
    row('answered', 'a', 100, { kind: 'approve', counted: false }),
    row('answered', 'x', 5),
  ]
  expect(dayNumbers(rows)).toMatchObject({ asked: 1, approved: 0, declined: 0, median_ms: null })
})
