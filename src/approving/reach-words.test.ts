import { expect, test } from 'vitest'
import { reachRows } from './reach-words.ts'

test('a card has one row for each whom the command reaches', () => {
  expect(
    reachRows([
      { what: 'root', words: 'sudo acts as root' },
      { what: 'outside_project', words: 'writes outside the project: /etc/hosts' },
    ]),
  ).toEqual(['sudo acts as root', 'writes outside the project: /etc/hosts'])
})
