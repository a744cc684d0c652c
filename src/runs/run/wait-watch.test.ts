import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import type { InputWait } from '../../base/process/pty.ts'
import { WaitWatch } from './wait-watch.ts'

const waits = (state: InputWait['state'], onlyInput = true): InputWait => ({
  state,
  source: 'kernel',
  evidence: 'seen',
  program: state === 'none' ? null : 'bash',
  onlyInput,
})

function watching(first: InputWait) {
  const clock = new FakeClock()
  const at = { report: first, looks: 0, news: 0 }
  const look = async () => {
    at.looks += 1
    return at.report
  }
  const watch = new WaitWatch(clock, look, () => {
    at.news += 1
  })
  return { clock, at, watch }
}

test('a program that prints without a pause is not looked at', async () => {
  const { clock, at, watch } = watching(waits('none'))
  for (let i = 0; i < 50; i++) {
    watch.grown()
    await clock.advance(50)
  }
  expect(at.looks).toBe(0)
})

test('one that has fallen silent is looked at, and then more and more rarely', async () => {
  const { clock, at, watch } = watching(waits('none'))
  await clock.advance(200)
  expect({ looks: at.looks, state: watch.now?.state }).toEqual({ looks: 1, state: 'none' })
  await clock.advance(60_000)
  expect(at.looks).toBeLessThan(40)
})

test('that it waits is news once, until it prints something again', async () => {
  const { clock, at, watch } = watching(waits('line'))
  await clock.advance(5000)
  expect({ news: at.news, now: watch.now }).toMatchObject({
    news: 1,
    now: { state: 'line', settled: true, reported: false },
  })
  watch.markReported()
  await clock.advance(5000)
  expect(watch.now?.reported).toBe(true)
  watch.grown()
  expect(watch.now).toBeNull()
  await clock.advance(200)
  expect(watch.now).toMatchObject({ state: 'line', reported: false })
})

test('one that watches other things too is believed after a longer silence', async () => {
  const { clock, watch } = watching(waits('key', false))
  await clock.advance(500)
  expect(watch.now).toMatchObject({ state: 'key', settled: false })
  await clock.advance(4000)
  expect(watch.now).toMatchObject({ state: 'key', settled: true })
})

test('while a person types, what is shown of it is no news', async () => {
  const { clock, at, watch } = watching(waits('line'))
  await clock.advance(200)
  watch.markReported()
  for (let i = 0; i < 10; i++) {
    watch.typed()
    watch.grown()
    await clock.advance(500)
  }
  expect({ news: at.news, now: watch.now }).toEqual({ news: 1, now: null })
})

test('a look that began before more was printed says nothing about now', async () => {
  const clock = new FakeClock()
  let answer: (report: InputWait) => void = () => {}
  const watch = new WaitWatch(
    clock,
    () => new Promise(resolve => (answer = resolve)),
    () => {},
  )
  await clock.advance(150)
  watch.grown()
  answer(waits('line'))
  await clock.advance(0)
  expect(watch.now).toBeNull()
})

test('when it is over, nothing is left behind', async () => {
  const { clock, at, watch } = watching(waits('line'))
  await clock.advance(1000)
  const { looks } = at
  watch.dispose()
  await clock.advance(10_000)
  expect({ looks: at.looks, pending: clock.pending, now: watch.now }).toEqual({ looks, pending: 0, now: null })
})

test('whoever waits for that silence is told as soon as it is long enough', async () => {
  const { clock, watch } = watching(waits('key', false))
  await clock.advance(1990)
  expect(watch.now?.settled).toBe(false)
  await clock.advance(20)
  expect(watch.now?.settled).toBe(true)
})
