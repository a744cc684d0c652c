import { expect, test } from 'vitest'
import { TermError } from '../../contract/tool/errors.ts'
import { faultWords } from './fault-words.ts'

const damaged = (errcode: number, message: string) => Object.assign(new Error(message), { errcode })
const fault = (code: string, path?: string) => Object.assign(new Error(`${code}: no`), { code, ...(path && { path }) })

test.each([
  [damaged(26, 'file is not a database'), 'The journal is damaged'],
  [damaged(11, 'database disk image is malformed'), 'the next host begins a new one'],
  [damaged(1, 'no such table: journal'), 'where state'],
  [fault('ENOSPC'), 'The disk is full (ENOSPC). Make room'],
  [fault('EROFS', '/state/host.json'), 'read-only (EROFS: /state/host.json)'],
  [fault('EACCES', '/state'), 'This may not be read or written by you (EACCES: /state)'],
  [new TermError('PM_TERM_INTERNAL', 'our own words'), 'our own words'],
])('%s is told in words, on one line, without a stack', (cause, words) => {
  expect(faultWords(cause)).toContain(words)
  expect(faultWords(cause)).not.toMatch(/\n|at .*:\d+/)
})

test('a fault of ours keeps its stack', () => {
  expect(faultWords(new Error('what?'))).toMatch(/what\?\n\s+at /)
})
