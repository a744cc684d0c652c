import { beforeEach, expect, test } from 'vitest'
import { FakeClock, idle } from '../../../test/fakes/fake-clock.ts'
import { Presence } from './presence.ts'

const never = new AbortController().signal
let clock: FakeClock
let presence: Presence
let calls: number

beforeEach(() => {
  clock = new FakeClock()
  presence = new Presence(clock)
  calls = 0
  presence.onUnattended(() => {
    calls += 1
  })
})

test('whoever is there is asked at once, and nobody else is called', async () => {
  presence.add('apr_1', 'ada')
  presence.call()
  expect([await presence.someone(1000, never), calls]).toEqual([true, 0])
})

test('where nobody is, somebody is called and waited for', async () => {
  const someone = presence.someone(1000, never)
  await clock.advance(999)
  presence.add('apr_1', 'ada')
  expect([await someone, calls, clock.pending]).toEqual([true, 1, 0])
})

test('nobody who comes in time is nobody, and so is a wait that is given up', async () => {
  const late = presence.someone(1000, never)
  const stop = new AbortController()
  const stopped = presence.someone(5000, stop.signal)
  await clock.advance(1000)
  stop.abort()
  expect([await late, await stopped, clock.pending]).toEqual([false, false, 0])
})

test('those who watch hear of everybody who comes or goes, and of nobody who was not there', async () => {
  const counts: number[] = []
  const watching = presence.watch(() => counts.push(presence.count))
  presence.add('apr_1', 'ada')
  presence.remove('apr_2')
  presence.remove('apr_1')
  watching.dispose()
  presence.add('apr_1', 'ada')
  await idle()
  expect([counts, presence.names]).toEqual([[1, 0], ['ada']])
})
