import { afterEach, beforeEach, expect, test } from 'vitest'
import { Printed } from '../../../test/fakes/printed.ts'
import { searchOutput } from './search-output.ts'

let printed: Printed
beforeEach(() => {
  printed = new Printed()
})
afterEach(() => printed.remove())

const search = (text: string, limits: { from?: number; budget?: number } = {}) =>
  searchOutput(printed.source, text, { from: limits.from ?? 0, budget: limits.budget ?? 32_768 })

test('lines with the text are found, each with its place and stream', () => {
  printed.out('one\ntwo error\n')
  printed.err('error three\n')
  printed.out('four\n')
  printed.end()
  expect(search('error')).toEqual({
    matches: [
      { offset: 4, stream: 'stdout', line: 'two error' },
      { offset: 14, stream: 'stderr', line: 'error three' },
    ],
    cursor: 31,
  })
})

test('a line that was printed in pieces, with the other stream between them, is one line', () => {
  printed.out('an er')
  printed.err('noise\n')
  printed.out('ror\n')
  printed.end()
  expect(search('error').matches).toEqual([{ offset: 0, stream: 'stdout', line: 'an error' }])
})

test('the last line counts once it can grow no more', () => {
  printed.out('done\nalmost err')
  expect(search('err')).toEqual({ matches: [], cursor: 5 })
  printed.out('or')
  printed.end()
  expect(search('err', { from: 5 })).toEqual({
    matches: [{ offset: 5, stream: 'stdout', line: 'almost error' }],
    cursor: 17,
  })
})

test('special characters are only text', () => {
  printed.out('a.b\naxb\n')
  printed.end()
  expect(search('a.b').matches.map(({ line }) => line)).toEqual(['a.b'])
})

test('with a budget all matches are found in several goes, each once', () => {
  const lines = Array.from({ length: 50 }, (_, i) => `hit ${i}`)
  printed.out(`${lines.join('\n')}\n`)
  printed.end()
  const found: string[] = []
  let from = 0
  for (let goes = 0; goes < 60 && from < printed.source.size; goes++) {
    const { matches, cursor } = search('hit', { from, budget: 256 })
    found.push(...matches.map(({ line }) => line))
    from = cursor
  }
  expect(found).toEqual(lines)
})

test('a match longer than the budget does not hold up the search for ever', () => {
  printed.out(`hit ${'x'.repeat(1000)}\nhit again\n`)
  printed.end()
  const first = search('hit', { budget: 256 })
  expect({ told: first.matches.length, on: first.cursor > 0 }).toEqual({ told: 1, on: true })
})

test('a character at the border of what is read at once stays whole', () => {
  printed.out(`a${'é'.repeat(524_288)}Z\n`)
  printed.end()
  expect(search('éZ').matches.length).toBe(1)
})

test('nothing printed, nothing found', () => {
  expect(search('x')).toEqual({ matches: [], cursor: 0 })
})
