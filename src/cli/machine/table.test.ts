import { expect, test } from 'vitest'
import { table } from './table.ts'

test('a table is as wide as what is in it, and its last column is cut at the edge', () => {
  expect(
    table(
      ['RUN', 'COMMAND'],
      [
        ['a', 'ls'],
        ['bcde', 'echo a long line'],
      ],
      16,
    ),
  ).toBe('RUN   COMMAND\na     ls\nbcde  echo a lo…')
})
