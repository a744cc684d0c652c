import { expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import type { RunLook } from '../host-link/look-on.ts'
import { followRun } from './follow-run.ts'

/** Looks as a test gives them, one after the other; each takes no time. */
function following(looks: readonly (RunLook | Error)[]) {
  const clock = new FakeClock()
  const left = [...looks]
  const told: string[] = []
  const asked: number[] = []
  const over = new AbortController()
  const look = async ({ cursor }: { cursor: number }) => {
    asked.push(cursor)
    const next = left.shift() ?? new Error('gone')
    if (next instanceof Error) throw next
    return next
  }
  const first: RunLook = { state: 'awaiting_approval', bytes: 0 }
  const done = followRun(first, look, now => void told.push(`${now.state} ${now.bytes}`), {
    clock,
    signal: over.signal,
  })
  return { clock, told, asked, over, done }
}
const at = (state: RunLook['state'], bytes: number): RunLook => ({ state, bytes })

test('every state and the end are told, output three times a second at most, and what is no news is not', async () => {
  const looks = [at('awaiting_approval', 0), at('running', 0), at('running', 5), at('running', 900), at('exited', 901)]
  const { clock, told, asked, done } = following(looks)
  await clock.advance(0)
  expect(asked).toEqual([0])
  await clock.advance(299)
  expect(asked).toEqual([0])
  for (let i = 0; i < 5; i++) await clock.advance(300)
  await done
  expect(told).toEqual(['running 0', 'running 5', 'running 900', 'exited 901'])
  expect(asked).toEqual([0, 0, 0, 5, 900])
})

test('a host that is away for a moment is waited for; for ever it is not, and that is told', async () => {
  const { clock, told, done } = following([at('running', 1), new Error('away'), at('running', 2)])
  for (let i = 0; i < 40; i++) await clock.advance(1000)
  await done
  expect(told).toEqual(['running 1', 'running 2', 'running 2'])
})

test('whoever has heard enough hears no more', async () => {
  const { clock, told, over, done } = following([at('running', 1), at('running', 2)])
  await clock.advance(0)
  over.abort()
  await done
  await clock.advance(5000)
  expect(told).toEqual(['running 1'])
})
