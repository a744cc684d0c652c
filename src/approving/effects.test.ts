import { expect, test } from 'vitest'
import { effectLines } from './effects.ts'

test('a card says each effect once, and which of them reach beyond the project', () => {
  const root = { what: 'root', words: 'sudo acts as root' } as const
  expect(effectLines({ reaches: [root, root, { what: 'downloads', words: 'npm downloads packages' }] })).toEqual([
    { text: 'sudo acts as root', tone: 'beyond' },
    { text: 'npm downloads packages', tone: 'here' },
  ])
})

test('where no effect is known the card says so, and does not look harmless', () => {
  expect(effectLines({ reaches: [] })).toEqual([expect.objectContaining({ tone: 'unknown' })])
  expect(effectLines({ reaches: [], intent: 'open_only' })).toEqual([])
})
