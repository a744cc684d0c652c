import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawn, drawnRows, proseRows, widthOf } from './drawn.ts'

test.each([
  ['git log -3', 'git log -3'],
  ['ls\x1b[2K', 'ls⟨ESC⟩[2K'],
  ['a\rb\tc', 'a⟨CR⟩b⟨TAB⟩c'],
  ['ls\u202Egpj.sh', 'ls⟨U+202E⟩gpj.sh'],
  ['l\u200Bs', 'l⟨U+200B⟩s'],
  ['ls\u00A0-la', 'ls⟨U+00A0⟩-la'],
  ['ls ', 'ls⟨1 SPACES⟩'],
  ['true              ; rm x', 'true⟨14 SPACES⟩; rm x'],
  ['⟨ESC⟩', '⟨U+27E8⟩ESC⟩'],
  ['echo שלום', 'echo ⟨U+05E9⟩⟨U+05DC⟩⟨U+05D5⟩⟨U+05DD⟩'],
])('%j is drawn as %j', (text, shown) => {
  expect(drawn(text)).toBe(shown)
})

test('two different commands are never drawn alike', () => {
  const text = fc.string({ unit: fc.constantFrom(...'a ⟨⟩1\t\n\x1b\u200b\u00a0SPACEU+20'), maxLength: 14 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      fc.pre(a !== b)
      expect(drawn(a)).not.toBe(drawn(b))
      expect(drawnRows(a, 7)).not.toEqual(drawnRows(b, 7))
    }),
    { numRuns: 3000 },
  )
})

test('nothing that is drawn can move the cursor', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), text => {
      expect(drawn(text)).not.toMatch(/[\p{C}\p{M}\p{Zl}\p{Zp}]/u)
    }),
    { numRuns: 3000 },
  )
})

test('words of our own are cut between words, and a word that is too long is cut all the same', () => {
  expect(proseRows('one rule per line; an extraordinarily long one', 12)).toEqual([
    'one rule per',
    'line; an',
    'extraordinar',
    'ily',
    'long one',
  ])
  expect(proseRows('', 5)).toEqual([''])
})

test('a long line is wrapped into rows that fit, and a line break starts a new number', () => {
  const rows = drawnRows('abcdefgh\nsecond', 5)
  expect(rows).toEqual([
    { line: 1, text: 'abcde' },
    { line: null, text: 'fgh' },
    { line: 2, text: 'secon' },
    { line: null, text: 'd' },
  ])
  expect(rows.every(({ text }) => widthOf(text) <= 5)).toBe(true)
})
