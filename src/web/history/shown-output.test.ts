import { expect, test } from 'vitest'
import { shownOutput } from './shown-output.ts'

test('what is printed cannot turn itself round or hide; lines and columns stay as they are', () => {
  expect(shownOutput('a\tb\n  c\u202egnp\u0007\u200b')).toBe('a\tb\n  c‹U+202E›gnp‹U+0007›‹U+200B›')
  expect(shownOutput('👩‍👧 ok')).toBe('👩‍👧 ok')
})
