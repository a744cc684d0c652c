import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { Printed } from '../../../test/fakes/printed.ts'
import type { OutputOptions } from '../../contract/tool/output-options.ts'
import { type Waited, waitFor } from './wait.ts'

let printed: Printed
let clock: FakeClock
beforeEach(() => {
  printed = new Printed()
  clock = new FakeClock()
})
afterEach(() => printed.remove())

/** Waits in the background; `ended` tells what ended the wait, or null while it goes on. */
function waiting(options: OutputOptions, ms = 10_000, signal = new AbortController().signal) {
  let ended: Waited | null = null
  void waitFor(printed.view, options, { clock, ms, signal }).then(waited => {
    ended = waited
  })
  return {
    after: async (passed: number) => {
      await clock.advance(passed)
      return ended
    },
  }
}

test('new output ends a wait for output, old output does not', async () => {
  printed.out('old')
  const wait = waiting({})
  expect(await wait.after(1000)).toBeNull()
  printed.out('new')
  expect(await wait.after(0)).toBe('output')
})

test('output behind the cursor is new, however old it is', async () => {
  printed.out('old')
  expect(await waiting({ cursor: 0 }).after(0)).toBe('output')
})

test('a wait for the end is not ended by output', async () => {
  const wait = waiting({ wait_for: 'exit' })
  printed.out('hello')
  expect(await wait.after(9999)).toBeNull()
  printed.end()
  expect(await wait.after(0)).toBe('exit')
})

test('nobody waits for what is over already', async () => {
  printed.end()
  for (const wait_for of ['output', 'exit', 'silence'] as const)
    expect(await waiting({ wait_for }).after(0)).toBe('exit')
})

test('a text is found when it comes, also in two halves', async () => {
  const wait = waiting({ wait_for: 'text', text: 'server ready' })
  printed.out('starting\nserver re')
  expect(await wait.after(0)).toBeNull()
  printed.out('ady on 8080\n')
  expect(await wait.after(0)).toBe('text')
})

test('a text that was printed before the wait counts', async () => {
  printed.out('server ready\n')
  expect(await waiting({ wait_for: 'text', text: 'ready' }).after(0)).toBe('text')
})

test('a text before the cursor does not count', async () => {
  printed.out('ready\n')
  expect(await waiting({ wait_for: 'text', text: 'ready', cursor: 6 }).after(0)).toBeNull()
})

test('any of several texts ends the wait, on either stream', async () => {
  const wait = waiting({ wait_for: 'text', text: ['passed', 'failed'] })
  printed.err('3 failed\n')
  expect(await wait.after(0)).toBe('text')
})

test('the last words of a command are looked at before its end is told', async () => {
  const wait = waiting({ wait_for: 'text', text: 'bye' })
  printed.out('bye')
  printed.end()
  expect(await wait.after(0)).toBe('text')
})

test('the end comes before a text that never came', async () => {
  const wait = waiting({ wait_for: 'text', text: 'never' })
  printed.end()
  expect(await wait.after(0)).toBe('exit')
})

test('a second without output is silence, and output starts it anew', async () => {
  const wait = waiting({ wait_for: 'silence' })
  expect(await wait.after(999)).toBeNull()
  printed.out('.')
  expect(await wait.after(999)).toBeNull()
  expect(await wait.after(1)).toBe('silence')
})

test('patience ends every wait', async () => {
  for (const wait_for of ['output', 'exit', 'text', 'silence'] as const) {
    const wait = waiting({ wait_for, text: 'x', silence_ms: 60_000 }, 500)
    expect(await wait.after(500)).toBe('deadline')
  }
})

test('a call that is taken back waits no longer', async () => {
  const cancel = new AbortController()
  const wait = waiting({ wait_for: 'exit' }, 10_000, cancel.signal)
  cancel.abort()
  expect(await wait.after(0)).toBe('deadline')
})

test.each(['output', 'exit', 'text', 'silence'] as const)('a wait for %s leaves nothing behind', async wait_for => {
  const wait = waiting({ wait_for, text: 'x' }, 100)
  await wait.after(2000)
  await waiting({ wait_for, text: 'x' }, 100, AbortSignal.abort()).after(0)
  expect({ timers: clock.pending, watchers: printed.watchers }).toEqual({ timers: 0, watchers: 0 })
})

test('without any patience the answer still waits until it runs, but not for ever', async () => {
  printed.received = true
  const wait = waiting({ wait_for: 'exit' }, 0)
  expect(await wait.after(100)).toBeNull()
  printed.begin()
  expect(await wait.after(0)).toBe('deadline')
  printed.received = true
  expect(await waiting({ wait_for: 'exit' }, 0).after(3000)).toBe('deadline')
})
