import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawnText } from '../../contract/drawn-text.ts'
import { codeRows, indexOfByte, SOFT_CUT, withCuts } from './code-rows.ts'

const open = { tone: 'open' } as const

test('each part of a line is marked from its first byte to its last', () => {
  const [row] = codeRows('echo ä && rm x', [
    { start: 0, end: 7, ...open },
    { start: 11, end: 15, ...open },
  ])
  expect(row?.stretches).toEqual([
    { text: 'echo ', look: 'plain', mark: 0, begins: true },
    { text: 'ä', look: 'foreign', mark: 0, begins: false },
    { text: ' && ', look: 'plain', mark: null, begins: false },
    { text: 'rm x', look: 'plain', mark: 1, begins: true },
  ])
})

test('what cannot be seen is named, and a line break starts a numbered line', () => {
  expect(
    codeRows('a\u200b\n  b').map(({ line, stretches }) => [line, ...stretches.map(s => `${s.look}:${s.text}`)]),
  ).toEqual([
    [1, 'plain:a', 'sign:‹U+200B›', 'blank:⏎'],
    [2, 'blank:··', 'plain:b'],
  ])
})

test('the rows put together are the drawn text, whatever the text and the marks', () => {
  const mark = fc.record({ start: fc.nat(60), end: fc.nat(60), tone: fc.constant('open' as const) })
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.array(mark, { maxLength: 4 }), (text, marks) => {
      const whole = codeRows(text, marks)
        .flatMap(({ stretches }) => stretches.map(stretch => withCuts(stretch.text)))
        .join('')
      expect(whole.replaceAll(SOFT_CUT, '')).toBe(drawnText(text))
    }),
  )
})

test('a long word may be cut between any two characters but never inside a name', () => {
  const cut = withCuts(`short ${'x'.repeat(20)}‹U+200B›y`)
  expect(cut).toBe(`short ${[...'x'.repeat(20), '‹U+200B›', 'y'].join(SOFT_CUT)}`)
})

test('offsets of bytes become positions of characters', () => {
  const index = indexOfByte('aä🙂b')
  expect([0, 1, 3, 7, 8, 99].map(index)).toEqual([0, 1, 2, 4, 5, 5])
})
