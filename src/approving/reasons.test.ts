import { expect, test } from 'vitest'
import { tellingReason, wholeReason } from './reasons.ts'

const part = (why: string) => ({ text: 'x', start: 0, end: 1, covered: false, rule: null, why })
const verdict = (why: string, ...parts: string[]) => ({ verdict: 'approval' as const, why, parts: parts.map(part) })

test('the reason for a line is told also when the line has parts that say something else', () => {
  const curl = verdict('it runs what it downloads or decodes', 'no rule covers it', 'no rule covers it')
  expect(wholeReason(curl)).toBe('it runs what it downloads or decodes')
})

test('what a part says already is not said twice', () => {
  expect(wholeReason(verdict('no rule covers it', 'a rule', 'no rule covers it'))).toBeNull()
  expect(wholeReason(verdict('no rule covers it', 'no rule covers it'))).toBe('no rule covers it')
  expect(wholeReason(verdict('hard to undo; a file is broken', 'hard to undo'))).toBe('hard to undo; a file is broken')
  expect(wholeReason(verdict('the asker wants a person', 'npm test'))).toBe('the asker wants a person; npm test')
  expect(wholeReason(verdict('no rule covers it'))).toBe('no rule covers it')
})

test('that no rule covers a line is no reason anybody learns from: it stands among the details', () => {
  expect(tellingReason(verdict('no rule covers it', 'no rule covers it'))).toBeNull()
  expect(tellingReason(verdict('id: no rule covers it', 'a rule', 'no rule covers it'))).toBeNull()
  expect(tellingReason(verdict('it runs what it downloads', 'no rule covers it', 'no rule covers it'))).toBe(
    'it runs what it downloads',
  )
})
