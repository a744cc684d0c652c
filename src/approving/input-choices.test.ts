import { expect, test } from 'vitest'
import example from '../contract/examples/to-approver.question.input.frame.json' with { type: 'json' }
import type { InputQuestion } from '../contract/wire/approver-frames.ts'
import { choicesOf } from './choices.ts'
import { approvalOf, notOffered } from './decision.ts'
import { titleOf } from './question.ts'

const question = (more: Partial<InputQuestion> = {}): InputQuestion => ({ ...(example as InputQuestion), ...more })
const FOR_THE_RUN = { kind: 'approve', scope: { kind: 'run' } } as const

test('what is typed is approved once, or for the rest of the run where what reads does not run it', () => {
  const choices = choicesOf(question())
  expect(choices.map(({ id }) => id)).toEqual(['once', 'run'])
  expect(choices.map(choice => approvalOf(choice, {}))).toEqual([
    { kind: 'approve', scope: { kind: 'once' } },
    FOR_THE_RUN,
  ])
  expect(notOffered(question(), FOR_THE_RUN)).toBeNull()
})

test.each<[string, Partial<InputQuestion>]>([
  ['a shell', { executes: 'shell' }],
  ['an interpreter', { executes: 'interpreter' }],
  ['nobody knows whom', { program: null }],
  ['a program that does not wait', { wait_state: 'none' }],
  ['what is hard to undo', { grave: true }],
])('into %s: once only', (_, more) => {
  expect(choicesOf(question(more)).map(({ id }) => id)).toEqual(['once'])
  expect(notOffered(question(more), FOR_THE_RUN)).toMatch(/once/)
})

test('it is approved as it is or declined: no rule comes of it, no folder is trusted by it', () => {
  const rules = { kind: 'approve' as const, scope: { kind: 'workspace' as const, rules: ['cat'] } }
  expect(notOffered(question(), rules)).not.toBeNull()
  expect(notOffered(question(), { kind: 'decline', reason: null })).toBeNull()
})

test('its title names the keys', () => {
  expect(titleOf(question())).toBe('Type y<enter>')
})
