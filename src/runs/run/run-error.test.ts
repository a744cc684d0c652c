import { expect, test } from 'vitest'
import { runError } from './run-error.ts'
import type { RunState } from './run-state.ts'
import { statusOf } from './run-status.ts'
import type { RunView } from './run-view.ts'

function messageOf(state: RunState): string | undefined {
  const status = statusOf(state, { size: 0, lost: 0 }, true)
  const opened = { id: 'r', trace_id: 't', lane: 'interactive', cwd: '/work' }
  return runError({ opened, status: () => status } as unknown as RunView)?.message
}

test.each([
  ['nobody', 'What is known as a sentence.', /^Nobody could be asked, so nothing ran\. To answer without a window: /],
  ['no_window', 'port 9 is taken', /^Nobody could be asked, so nothing ran\. port 9 is taken$/],
] as const)('why there is no window is quoted where it is known, whatever its words: %s', (because, why, message) => {
  expect(messageOf({ at: 'blocked', why, because, endedAt: 1 })).toMatch(message)
})

test.each([
  ['ENOENT: no such file', 'ENOENT: no such file'],
  ['It changes all the time. Nothing ran.', 'It changes all the time. Nothing ran'],
])('a command that could not be started says so, whatever the reason: %s', (problem, reason) => {
  const message = `The command could not be started: ${reason}. A new try needs another id than r.`
  expect(messageOf({ at: 'failed', problem, fault: 'ours', endedAt: 1 })).toBe(message)
})
