import { expect, test } from 'vitest'
import { flagWords } from './flags.ts'

test('a flag is a sentence, and one that is not known is still named', () => {
  expect([flagWords('homoglyph'), flagWords('new_flag')]).toEqual([
    'A letter in it looks like another one.',
    'new_flag',
  ])
})
