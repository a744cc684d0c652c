import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { startEviction } from './eviction.ts'

function evictions() {
  const clock = new FakeClock()
  const seen = { evicted: 0, overBudget: false }
  const runs = {
    get overBudget() {
      return seen.overBudget
    },
    async evict() {
      seen.evicted += 1
      seen.overBudget = false
    },
  }
  return { clock, seen, eviction: startEviction(clock, runs) }
}

test('what is too old goes soon after the start and at fixed times', async () => {
  const { clock, seen } = evictions()
  await clock.advance(5000)
  expect(seen.evicted).toBe(1)
  await clock.advance(15 * 60_000)
  expect(seen.evicted).toBe(2)
})

test('output that grows too large is let go of at once, and only then', async () => {
  const { seen, eviction } = evictions()
  eviction.grown()
  expect(seen.evicted).toBe(0)
  seen.overBudget = true
  eviction.grown()
  eviction.grown()
  expect(seen.evicted).toBe(1)
})

test('nothing is let go of after its end', async () => {
  const { clock, seen, eviction } = evictions()
  eviction.dispose()
  await clock.advance(60 * 60_000)
  expect(seen.evicted).toBe(0)
})
