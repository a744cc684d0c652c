import { expect, test } from 'vitest'
import type { JournalKind, JournalRow } from './journal-row.ts'
import { pastQuestions } from './past-questions.ts'

let seq = 0
const row = (kind: JournalKind, runId: string, body: Record<string, unknown> = {}): JournalRow => ({
  seq: ++seq,
  at: seq,
  kind,
  requester: 'local',
  runId,
  body,
  prev: '',
  hash: '',
})
const asked = (runId: string) => row('asked', runId, { plan_hash: 'h', why: 'no rule covers it' })
const openedOf = (_: string, id: string) => (id === 'gone' ? null : { command: `run ${id}`, args: null, cwd: '/w' })

test('every command that was asked about is there once, newest first, with the last word that counted', () => {
  const rows = [
    asked('a'),
    row('answered', 'a', { kind: 'approve' }),
    asked('b'),
    row('answered', 'b', { kind: 'decline', reason: 'not today' }),
    // What it names changed on disk: asked once more.
    asked('c'),
    row('answered', 'c', { kind: 'approve' }),
    asked('c'),
    row('answered', 'c', { kind: 'decline', reason: null }),
    asked('d'),
    row('answered', 'd', { kind: 'approve', counted: false }),
    asked('gone'),
  ].reverse()
  const { questions, gone, isAll } = pastQuestions(rows, openedOf, 10)
  expect(questions.map(({ command, answer, reason }) => [command, answer, reason])).toEqual([
    ['run d', null, null],
    ['run c', 'declined', null],
    ['run b', 'declined', 'not today'],
    ['run a', 'approved', null],
  ])
  expect([gone, isAll]).toEqual([1, true])
})

test('what was asked about rules, or typed into a program, is no command', () => {
  const rows = [row('asked', 'r', { workspace_id: 'w', added: [] }), row('asked', 'i', { why: 'x', trace_id: 't' })]
  expect(pastQuestions(rows, openedOf, 10).questions).toEqual([])
})

test('it says when there were more than it looks at', () => {
  const { questions, isAll } = pastQuestions([asked('a'), asked('b'), asked('c')], openedOf, 2)
  expect([questions.length, isAll]).toEqual([2, false])
})
