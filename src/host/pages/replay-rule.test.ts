import { expect, test } from 'vitest'
import { NO_MACHINE } from '../../policy/rules/no-machine.ts'
import type { PastQuestion } from '../../runs/journal/past-questions.ts'
import { replayRule } from './replay-rule.ts'

const rules = { rules: [], workspace: null, autoApprove: 'allowlist', facts: NO_MACHINE } as const
let at = 1000
const asked = (command: string, answer: PastQuestion['answer'], more: Partial<PastQuestion> = {}): PastQuestion => ({
  command,
  args: null,
  cwd: '/w/app',
  at: --at,
  answer,
  reason: null,
  ...more,
})
/** Newest first. */
function tried(pattern: string, questions: readonly PastQuestion[], longestMs = 1000, elapsed = () => 0) {
  const ground = { questions, isAll: true, rulesAt: () => rules, clock: { elapsed }, longestMs }
  return replayRule(pattern, { directory: '/w/app', lane: 'interactive' }, ground)
}

test('a rule is tried on what was asked in its project: how much it would have let run, and what of that was declined', () => {
  const replay = tried('npm run *', [
    asked('npm run build', 'approved'),
    asked('npm run deploy', 'declined', { reason: 'not on a Friday' }),
    asked('npm run build', null),
    asked('npm install', 'approved'),
    asked('npm run build', 'approved', { cwd: '/w/other' }),
  ])
  expect(replay).toMatchObject({ asked: 4, approves: 3, declined: 1, is_part: false })
  expect(replay.rows).toMatchObject([{ command: 'npm run deploy', reason: 'not on a Friday', stands: true }])
})

test('a line that was declined and approved later stands in nobody’s way; one that was approved and declined later does', () => {
  const [later] = tried('mytool go', [asked('mytool go', 'approved'), asked('mytool go', 'declined')]).rows
  expect(later).toMatchObject({ stands: false })
  const [first] = tried('mytool go', [asked('mytool go', 'declined'), asked('mytool go', 'approved')]).rows
  expect(first).toMatchObject({ stands: true })
})

test('a line of several commands is let through only by a rule that covers all that is left of it', () => {
  const both = [asked('mytool a && mytool b', 'declined')]
  expect(tried('mytool a', both)).toMatchObject({ approves: 0, declined: 0 })
  expect(tried('mytool *', both)).toMatchObject({ approves: 1, declined: 1 })
})

test('what is hard to undo is let through by no rule, so it stands in no rule’s way', () => {
  expect(tried('git push *', [asked('git push --force', 'declined')])).toMatchObject({ approves: 0, declined: 0 })
})

test('arguments that were passed apart are words like any other', () => {
  const [row] = tried('mytool *', [asked('mytool', 'declined', { args: ['a b', 'c'] })]).rows
  expect(row).toMatchObject({ command: 'mytool a b c', stands: true })
})

test('it stops in time, and says that it was a part', () => {
  let now = 0
  const clock = () => {
    now += 100
    return now
  }
  const many = Array.from({ length: 50 }, (_, i) => asked(`mytool ${i}`, 'approved'))
  const replay = tried('mytool *', many, 1000, clock)
  expect(replay.is_part).toBe(true)
  expect(replay.asked).toBeLessThan(50)
})

test('of many that were declined those that stand in the way come first', () => {
  const old = Array.from({ length: 30 }, (_, i) => [asked(`mytool ${i}`, 'approved'), asked(`mytool ${i}`, 'declined')])
  const { rows, declined } = tried('mytool *', [...old.flat(), asked('mytool last', 'declined')])
  expect([rows.length, declined, rows[0]?.command]).toEqual([20, 31, 'mytool last'])
})
