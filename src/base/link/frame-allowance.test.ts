import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { FrameAllowance } from './frame-allowance.ts'

test('a burst may come at once, and then only as many as each second brings', async () => {
  const clock = new FakeClock()
  const allowance = new FrameAllowance(clock, { burst: 3, framesPerSecond: 2 })
  const taken = (count: number) => Array.from({ length: count }, () => allowance.take())
  expect(taken(3)).toEqual([true, true, true])
  await clock.advance(1000)
  expect(taken(3)).toEqual([true, true, false])
  await clock.advance(60_000)
  expect(taken(4)).toEqual([true, true, true, false])
})
