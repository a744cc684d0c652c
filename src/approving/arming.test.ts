import { expect, test } from 'vitest'
import { isHabit, reflexesAfter } from './arming.ts'

test('three approvals within a second each are a habit; one that was read, or a no, ends it', () => {
  const quick = { outcome: 'approved', tookMs: 700 } as const
  const three = [quick, quick, quick].reduce(reflexesAfter, 0)
  expect([isHabit(three - 1), isHabit(three)]).toEqual([false, true])
  expect(isHabit(reflexesAfter(three, { outcome: 'approved', tookMs: 4000 }))).toBe(false)
  expect(isHabit(reflexesAfter(three, { outcome: 'declined', tookMs: 100 }))).toBe(false)
})
