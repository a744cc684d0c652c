import { expect, test } from 'vitest'
import { answeredWords, joinedWords } from './question-over.ts'

test('who answered is named without the id of the approver', () => {
  expect(answeredWords({ outcome: 'approved', by: 'ada@desk (apr_0a1b)', yours: false })).toBe('Approved by ada@desk')
  expect(answeredWords({ outcome: 'declined', by: 'window (apr_1)', yours: true })).toBe('Declined by you')
})

test('one more who may answer is named with how they were admitted', () => {
  expect(joinedWords({ name: 'ada', how: 'code' })).toBe('ada may answer now, too (admitted by a code)')
})
