import { expect, test } from 'vitest'
import { FakeClock } from '../../test/fakes/fake-clock.ts'
import { until } from './until.ts'
import { Watchers } from './watchers.ts'

const watched = () => {
  const watchers = new Watchers()
  return { watch: (watcher: () => void) => watchers.add(watcher), notify: () => watchers.notify() }
}

test('what holds already is not waited for, and what comes to hold is seen with the change', async () => {
  const changing = watched()
  expect(await until(() => true, changing, {})).toBe(true)
  let there = false
  const waiting = until(() => there, changing, {})
  changing.notify()
  there = true
  changing.notify()
  expect(await waiting).toBe(true)
})

test('it is over after the time that was given, or when it is given up, and leaves no timer behind', async () => {
  const clock = new FakeClock()
  const late = until(() => false, watched(), { late: { clock, ms: 100 } })
  await clock.advance(100)
  expect(await late).toBe(false)
  expect(await until(() => false, watched(), { signal: AbortSignal.abort(), late: { clock, ms: 100 } })).toBe(false)
  expect(clock.pending).toBe(0)
})
