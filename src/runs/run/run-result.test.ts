import { afterEach, expect, test } from 'vitest'
import { Printed } from '../../../test/fakes/printed.ts'
import { usualRedactor } from '../../../test/fakes/redactors.ts'
import { systemClock } from '../../base/clock.ts'
import { plainResult } from './run-result.ts'
import { statusOf } from './run-status.ts'
import type { RunView } from './run-view.ts'

const made: Printed[] = []
afterEach(() => {
  for (const each of made.splice(0)) each.remove()
})

const READING = { clock: systemClock, redactor: usualRedactor() }
const EXITED = { at: 'exited', exitCode: 0, signal: null, startedAt: 1, endedAt: 2, tookMs: 1 } as const

/** A view of a run that printed these words and ended well. */
function view(lane: 'headless' | 'interactive', words: string): RunView {
  const printed = new Printed()
  made.push(printed)
  printed.out(words)
  printed.end()
  const { source } = printed
  return {
    opened: { lane, cwd: '/x', adapter: 'a' },
    status: () => statusOf(EXITED, { size: source.size, lost: 0 }, true),
    source: () => source,
    verdict: () => null,
    planHash: () => null,
    waits: () => null,
    input: () => null,
  } as unknown as RunView
}

test('a terminal ends lines with a carriage return that no program wrote: it is not told, with or without a host', async () => {
  expect((await plainResult(view('interactive', 'a\r\nb\r\n'), {}, READING)).stdout).toBe('a\nb\n')
  expect((await plainResult(view('headless', 'a\r\nb\r\n'), {}, READING)).stdout).toBe('a\r\nb\r\n')
})
