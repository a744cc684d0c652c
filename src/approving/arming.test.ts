import { expect, test } from 'vitest'
import { armingTime, isArmedSince } from './arming.ts'

test('an approval needs a pause as long as the host says, and never a shorter one than 400 ms', () => {
  expect([armingTime(), armingTime(10), armingTime(900)]).toEqual([400, 400, 900])
  expect([isArmedSince(1000, 1399, 0), isArmedSince(1000, 1400, 0), isArmedSince(1000, 1400, 500)]).toEqual([
    false,
    true,
    false,
  ])
})
