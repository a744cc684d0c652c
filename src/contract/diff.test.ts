import { expect, test } from 'vitest'
import { diff } from './diff.ts'

const signs = { same: ' ', added: '+', removed: '-' } as const
const short = (before: string, after: string, most = 100) =>
  diff([...before], [...after], most)
    .map(({ kind, text }) => `${signs[kind]}${text}`)
    .join('')

test('what is common stays, and what is too long to compare goes and comes as a whole', () => {
  expect([short('abc', 'axc'), short('', 'a'), short('a', ''), short('', '')]).toEqual([' a-b+x c', '+a', '-a', ''])
  expect(short('ab', 'ac', 3)).toBe('-a-b+a+c')
})
