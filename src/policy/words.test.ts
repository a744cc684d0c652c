import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readWords } from './words.ts'

const wordsOf = (line: string) => {
  const reading = readWords(line)
  return 'gaveUp' in reading ? reading.gaveUp : reading.words.map(word => word.text)
}

test.each([
  ['git log -3', ['git', 'log', '-3']],
  ['  git\tlog  ', ['git', 'log']],
  [`git log --format "%h %s"`, ['git', 'log', '--format', '%h %s']],
  [`echo 'a | b; c > d $e'`, ['echo', 'a | b; c > d $e']],
  [`echo a'b'"c"d`, ['echo', 'abcd']],
  [`echo ''`, ['echo', '']],
  ['echo a=b x~y c#d', ['echo', 'a=b', 'x~y', 'c#d']],
  ['echo grün', ['echo', 'grün']],
  ['', []],
])('%j is read word by word', (line, words) => {
  expect(wordsOf(line)).toEqual(words)
})

test.each([
  'a | b',
  'a & b',
  'a && b',
  'a; b',
  'a > f',
  'a < f',
  'a `b`',
  'a $b',
  'a $(b)',
  '(a)',
  'a {b,c}',
  'a *',
  'a ?',
  'a [b]',
  '! a',
  'a\nb',
  'a \\b',
  'a "b $c"',
  'a "b `c`"',
  'a "b \\" c"',
  "a 'open",
  'a "open',
  '~/a',
  'a ~',
  '#a',
  '=ls',
  'A=1 b',
  'PATH+=x b',
  'a\u202eb',
  'a\u200bb',
  'a\u00a0b',
  'a\rb',
  'a\x1bb',
  'a\0b',
])('%j is more than words and refused', line => {
  expect(typeof wordsOf(line)).toBe('string')
})

test('whatever comes in is read or refused, never a crash, and what is read points at its bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), line => {
      const reading = readWords(line)
      if ('gaveUp' in reading) return
      const bytes = Buffer.from(line)
      for (const { text, start, end } of reading.words)
        expect(bytes.subarray(start, end).toString('utf8').replace(/['"]/g, '')).toBe(text.replace(/['"]/g, ''))
    }),
  )
})
