import { expect, test } from 'vitest'
import type { Question } from '../contract/wire/approver-frames.ts'
import { askerOf, asksTo, isEditable, lineOf, titleOf } from './question.ts'

const question = (more: object): Question =>
  ({ kind: 'command', requester: 'local', intent: 'execute_command', command: 'ls', args: null, ...more }) as Question
const asks = (more: object) => `${askerOf(question(more))} ${asksTo(question(more))}`

test('separate arguments become one line that means the same', () => {
  expect(lineOf(question({ args: ['a b', "it's", '-x'] }))).toBe(`ls 'a b' 'it'\\''s' -x`)
  expect(lineOf(question({ command: 'ls | wc' }))).toBe('ls | wc')
})

test('a title says what it is about, also without a workspace', () => {
  expect(titleOf(question({ args: ['-l'] }))).toBe('ls -l')
  expect(titleOf(question({ kind: 'rules', workspace_id: null }))).toBe('Rules of no workspace')
})

test('who asks for what is one sentence, also when it is the person or a file', () => {
  expect(asks({})).toBe('An agent asks to run')
  expect(asks({ requester: 'person', intent: 'open_only' })).toBe('You ask to open a shell of yours')
  expect(asks({ requester: 'rule file', kind: 'rules' })).toBe('Files of yours would change what runs without asking')
  expect(asks({ kind: 'setup', target: 'Codex' })).toBe('An agent asks to change Codex’s own files')
})

test('a shell that is only opened has no line to edit', () => {
  expect([isEditable(question({})), isEditable(question({ intent: 'open_only' }))]).toEqual([true, false])
})
