import { expect, test } from 'vitest'
import { BriefMatch } from './brief-match.ts'

test('a pattern is found at once in a few lines, each line once', () => {
  const match = new BriefMatch({ source: 'port \\d+', flags: 'gm' }, 10_000)
  expect(match.linesIn('one\nport 80 and port 81\nport x\nport 82', 10)).toEqual([4, 31])
  expect(match.linesIn('port 1\nport 2\nport 3', 2)).toEqual([0, 7])
  expect(match.linesIn('nothing', 10)).toEqual([])
})

test('a pattern that takes for ever is given up after a moment, and a long text is left to others', () => {
  const match = new BriefMatch({ source: '^(a+)+$', flags: 'gm' })
  expect(match.linesIn('x'.repeat(100_000), 1)).toBeNull()
  expect(match.linesIn(`${'a'.repeat(60)}b`, 1)).toBeNull()
  expect(match.linesIn('aaa', 1)).toBeNull()
})
