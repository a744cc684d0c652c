import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DrawAs, drawnText, drawText } from './drawn-text.ts'

test.each([
  ['git status', 'git status'],
  [' a  b ', '·a··b·'],
  ['a\tb\nc', 'a⇥b⏎c'],
  ['a\rb', 'a‹U+000D›b'],
  ['\u001b[2K', '‹U+001B›[2K'],
  ['a\u00a0b', 'a‹U+00A0›b'],
  ['\ud800', '‹U+D800›'],
  ['café', 'café'],
  ['cafe\u0301', 'cafe‹U+0301›'],
  ['Привет', 'Привет'],
  ['сору', '‹U+0441›‹U+043E›‹U+0440›‹U+0443›'],
  ['ls −la', 'ls ‹U+2212›la'],
  ['a·b…c‹d⏎e⇥', 'a‹U+00B7›b‹U+2026›c‹U+2039›d‹U+23CE›e‹U+21E5›'],
  ['ｌｓ', '‹U+FF4C›‹U+FF53›'],
  ['你好 🙂', '你好 🙂'],
  ['✓ a → b', '✓ a → b'],
])('draws %j as %j', (text, drawn) => {
  expect(drawnText(text)).toBe(drawn)
})

test.each<[string, DrawAs, string]>([
  ['I’d use “npm ci” — it’s faster…', 'prose', 'I’d use “npm ci” — it’s faster…'],
  ['safe\u202e \u200b', 'prose', 'safe‹U+202E› ‹U+200B›'],
  ['git commit -m "fix — don’t wait…"', 'posix', 'git commit -m "fix — don’t wait…"'],
  ["git commit -m 'a “b”'", 'posix', "git commit -m 'a “b”'"],
  ['rm —rf x', 'posix', 'rm ‹U+2014›rf x'],
  ['echo “a; rm x”', 'posix', 'echo ‹U+201C›a; rm x‹U+201D›'],
  ['echo "$(rm —rf x)"', 'posix', 'echo "$(rm ‹U+2014›rf x)"'],
  ['echo "open — quote', 'posix', 'echo "open ‹U+2014› quote'],
  ['cat <<X\n"a — b"\nX', 'posix', 'cat <<X⏎"a ‹U+2014› b"⏎X'],
  ['echo éа', 'command', 'echo ‹U+00E9›‹U+0430›'],
  ['echo а\u0301', 'command', 'echo ‹U+0430›‹U+0301›'],
  ['echo été привет', 'command', 'echo été привет'],
  ['git commit -m "fix — it"', 'command', 'git commit -m "fix ‹U+2014› it"'],
])('draws %j as %s: %j', (text, as, drawn) => {
  expect(
    drawText(text, as)
      .map(cell => cell.drawn)
      .join(''),
  ).toBe(drawn)
})

test('different text never looks the same', () => {
  const tricky = fc.string({
    unit: fc.constantFrom(
      ...' \t\n·⇥⏎‹›U+0 aeép\u0301аер\u200b\u202e\u00a0–−-…\u001b\r'.split(''),
      '\u{1f642}',
      '\ud800',
      '‹U+0430›',
    ),
    maxLength: 8,
  })
  // Whoever reads a picture cannot tell these apart, so they count as one.
  const seen = (drawn: string): string => drawn.replace(/[аер]/g, char => ({ а: 'a', е: 'e', р: 'p' })[char] ?? char)
  fc.assert(
    fc.property(tricky, tricky, (one, other) => {
      fc.pre(one !== other)
      expect(seen(drawnText(one))).not.toBe(seen(drawnText(other)))
    }),
    { numRuns: 20_000 },
  )
})
