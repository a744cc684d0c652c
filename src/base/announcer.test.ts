import { expect, test } from 'vitest'
import { FakeClock } from '../../test/fakes/fake-clock.ts'
import { Announcer } from './announcer.ts'

function announcer() {
  const clock = new FakeClock()
  const told: (readonly string[])[] = []
  return { clock, told, announcer: new Announcer<string>(clock, 8, changed => told.push(changed)) }
}

test('the first news is told at once, what follows together and each once', async () => {
  const { clock, told, announcer: news } = announcer()
  for (const name of ['a', 'b', 'a', 'b', 'c']) news.changed(name)
  expect(told).toEqual([['a']])
  await clock.advance(8)
  expect(told).toEqual([['a'], ['b', 'a', 'c']])
})

test('what was told of elsewhere is not told again, and after the end nothing is', async () => {
  const { clock, told, announcer: news } = announcer()
  for (const name of ['a', 'b', 'c']) news.changed(name)
  news.forget('b')
  await clock.advance(8)
  news.changed('d')
  news.dispose()
  await clock.advance(100)
  expect([told, clock.pending]).toEqual([[['a'], ['c']], 0])
})
