import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedLines } from './changed-lines.ts'

test('only what changed is there, with the line where it begins', () => {
  const before = 'ok 1\nok 2\nnot ok 3\nok 4\nok 5\n'
  const after = 'ok 1\nok 2\nok 3\nok 4\nok 5\nok 6\n'
  expect(changedLines(before, after)).toEqual({
    text: '@@ line 3 @@\n-not ok 3\n+ok 3\n@@ line 6 @@\n+ok 6\n',
    added: 2,
    removed: 1,
  })
})

test('nothing changed is nothing, also of nothing', () => {
  expect(changedLines('a\nb\n', 'a\nb\n')).toEqual({ text: '', added: 0, removed: 0 })
  expect(changedLines('', '')).toEqual({ text: '', added: 0, removed: 0 })
})

test('long texts that differ everywhere are told as removed and added, in a moment', () => {
  const lines = (word: string) => Array.from({ length: 5000 }, (_, i) => `${word} ${i}\n`).join('')
  expect(changedLines(lines('a'), lines('b'))).toMatchObject({ added: 5000, removed: 5000 })
})

test('whoever puts the changes into the earlier text has the new one', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const { text } = changedLines(before.map(line => `${line}\n`).join(''), after.map(line => `${line}\n`).join(''))
      expect(applied(before, text)).toEqual(after)
    }),
  )
})

/** At the line of each place: what is removed goes, what is added comes. */
function applied(before: readonly string[], changes: string): string[] {
  const lines = [...before]
  let at = 0
  for (const line of changes.split('\n').slice(0, -1)) {
    const place = /^@@ line (\d+) @@$/.exec(line)
    if (place) at = Number(place[1]) - 1
    else if (line.startsWith('-')) expect(lines.splice(at, 1)).toEqual([line.slice(1)])
    else {
      lines.splice(at, 0, line.slice(1))
      at += 1
    }
  }
  return lines
}
