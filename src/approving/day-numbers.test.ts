import { expect, test } from 'vitest'
import { numberRows } from './day-numbers.ts'

const NONE = {
  asked: 0,
  approved: 0,
  declined: 0,
  median_ms: null,
  under_a_second: 0,
  by_rule: 0,
  refused: 0,
  is_part: false,
}

test('a day on which nothing was asked has no made-up numbers', () => {
  expect(numberRows(NONE).map(({ value }) => value)).toEqual(['0', '–', '0', '–', '0'])
})

test('the day in words: how often, how fast, and how much ran by rules', () => {
  const rows = numberRows({
    ...NONE,
    asked: 20,
    approved: 18,
    declined: 2,
    median_ms: 3420,
    under_a_second: 4,
    by_rule: 60,
    refused: 1,
  })
  expect(rows.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Questions: 20',
    'Time to decide: 3.4 s',
    'Approved within a second: 4',
    'Ran by a rule: 75 %',
    'Refused unasked: 1',
  ])
})
