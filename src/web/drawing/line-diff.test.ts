import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const short = (before: string, after: string): string =>
  lineDiff(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `[+${text}]` : `[-${text}]`))
    .join('')

test.each([
  ['npm run build', 'npm run build', 'npm run build'],
  ['npm run build', 'npm run build -- --watch', 'npm run build[+ -- --watch]'],
  ['rm -rf build', 'rm -r build', 'rm -[-rf][+r] build'],
  ['', 'ls', '[+ls]'],
])('%j edited to %j reads %j', (before, after, expected) => {
  expect(short(before, after)).toBe(expected)
})

test('both texts can be read out of the difference, however long they are', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-', '\n', 'é'), maxLength: 900 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = lineDiff(before, after)
      const without = (kind: string) => changes.flatMap(one => (one.kind === kind ? [] : [one.text])).join('')
      expect([without('added'), without('removed')]).toEqual([before, after])
    }),
    { numRuns: 30 },
  )
})
