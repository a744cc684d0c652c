import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'

test('a timer of ours goes off after its time', async () => {
  const began = systemClock.elapsed()
  await new Promise<void>(resolve => void systemClock.after(5, resolve))
  expect(systemClock.elapsed() - began).toBeGreaterThanOrEqual(4)
})

test('a timer longer than the system can hold does not go off at once', async () => {
  const fired: string[] = []
  const long = systemClock.after(2 ** 40, () => fired.push('long'))
  await new Promise<void>(resolve => void systemClock.after(2, resolve))
  long.dispose()
  expect(fired).toEqual([])
})

test('a timer that was taken back does not go off', async () => {
  const fired: string[] = []
  systemClock.after(1, () => fired.push('taken back')).dispose()
  await new Promise<void>(resolve => void systemClock.after(5, resolve))
  expect(fired).toEqual([])
})
