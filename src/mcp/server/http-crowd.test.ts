import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { HttpCrowd } from './http-crowd.ts'

class FakeSocket extends EventEmitter {
  gone = false
  destroy(): void {
    this.gone = true
    this.emit('close')
  }
}
const some = (count: number) => Array.from({ length: count }, () => new FakeSocket())

test('of those without a token the one that waited longest goes, and nobody who has shown it', () => {
  const crowd = new HttpCrowd(new FakeClock(), { unknown: 2, known: 2, showWithinMs: 10 })
  const [friend, ...others] = some(5)
  if (!friend) return
  crowd.enter(friend)
  expect(crowd.know(friend)).toBe(true)
  for (const each of others) crowd.enter(each)
  expect([friend, ...others].map(({ gone }) => gone)).toEqual([false, true, true, false, false])
})

test('whoever shows no token in time goes; whoever has shown it stays', async () => {
  const clock = new FakeClock()
  const crowd = new HttpCrowd(clock, { unknown: 8, known: 8, showWithinMs: 10 })
  const sockets = some(2)
  for (const each of sockets) crowd.enter(each)
  crowd.know(sockets[0] as FakeSocket)
  await clock.advance(10)
  expect(sockets.map(({ gone }) => gone)).toEqual([false, true])
})

test('there is an end to those who have shown it, too, and room again when one leaves', () => {
  const crowd = new HttpCrowd(new FakeClock(), { unknown: 8, known: 1, showWithinMs: 10 })
  const [first, second] = some(2) as [FakeSocket, FakeSocket]
  for (const each of [first, second]) crowd.enter(each)
  expect([crowd.know(first), crowd.know(second), crowd.know(first)]).toEqual([true, false, true])
  first.destroy()
  expect(crowd.know(second)).toBe(true)
})
