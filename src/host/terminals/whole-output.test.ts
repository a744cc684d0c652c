import { expect, test } from 'vitest'
import { wholeUpTo } from './whole-output.ts'

test.each([
  ['plain text', 'hello', ''],
  ['a colour that is complete', 'a\x1b[31mred', ''],
  ['a colour that is cut', 'a', '\x1b[3'],
  ['a lone escape', 'a', '\x1b'],
  ['a title that is cut', 'a', '\x1b]0;my tit'],
  ['a title that ended with a bell', 'a\x1b]0;t\x07b', ''],
  ['a title that ended with ST', 'a\x1b]0;t\x1b\\b', ''],
  ['a title whose ST is cut', 'a', '\x1b]0;t\x1b'],
  ['half of a character', 'a', '\xe2\x82'],
  ['a character set choice', 'a\x1b(Bb', ''],
])('%s', (_, whole, rest) => {
  expect(wholeUpTo(Buffer.from(whole + rest, 'latin1'))).toBe(whole.length)
})
