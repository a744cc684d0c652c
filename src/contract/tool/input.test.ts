import { expect, test } from 'vitest'
import { Input, inputAsText, inputBytes, KEY_NAMES } from './input.ts'

test('one text: a line break in it is the enter key, as a person would press it', () => {
  const pieces = Input.parse('y\n')
  expect(pieces).toEqual([{ text: 'y' }, { key: 'enter' }])
  expect(inputBytes(pieces, 'normal')).toBe('y\r')
})

test('keys by their names, in any letter case', () => {
  const pieces = Input.parse([{ key: 'Up' }, { key: 'ctrl-c' }, { text: ':q!' }, { key: 'escape' }])
  expect(inputBytes(pieces, 'normal')).toBe('\x1b[A\x03:q!\x1b')
  expect(inputBytes(pieces, 'application')).toBe('\x1bOA\x03:q!\x1b')
  expect(KEY_NAMES).toContain('page_down')
})

test.each([
  ['a control character in text', 'a\x03'],
  ['an escape sequence in text', [{ text: '\x1b[A' }]],
  ['a key that does not exist', [{ key: 'hyper' }]],
  ['nothing', ''],
  ['no pieces', []],
  ['both in one piece', [{ text: 'a', key: 'enter' }]],
  ['more than a person reads', 'a'.repeat(5000)],
])('%s is no input', (_, input) => {
  expect(Input.safeParse(input).success).toBe(false)
})

test('lines of text can be read as lines, other keys cannot', () => {
  expect(inputAsText(Input.parse('rm -rf x\nls\n'))).toBe('rm -rf x\nls\n')
  expect(inputAsText(Input.parse([{ text: 'ls' }, { key: 'tab' }]))).toBeNull()
})
