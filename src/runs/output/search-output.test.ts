import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { Printed } from '../../../test/fakes/printed.ts'
import { systemClock } from '../../base/clock.ts'
import { PatternTooSlow } from './line-matcher.ts'
import { searchOutput } from './search-output.ts'

let printed: Printed
beforeEach(() => {
  printed = new Printed()
})
afterEach(() => printed.remove())

const search = (text: string, limits: { from?: number; budget?: number; context?: number } = {}) =>
  searchOutput(printed.source, text, { from: 0, budget: 32_768, context: 0, ...limits }, systemClock)

test('lines with the text are found, each with its place and stream', async () => {
  printed.out('one\ntwo error\n')
  printed.err('error three\n')
  printed.out('four\n')
  printed.end()
  expect(await search('error')).toEqual({
    matches: [
      { offset: 4, stream: 'stdout', line: 'two error' },
      { offset: 14, stream: 'stderr', line: 'error three' },
    ],
    cursor: 31,
  })
})

test('a line that was printed in pieces, with the other stream between them, is one line', async () => {
  printed.out('an er')
  printed.err('noise\n')
  printed.out('ror\n')
  printed.end()
  expect((await search('error')).matches).toEqual([{ offset: 0, stream: 'stdout', line: 'an error' }])
})

test('the last line counts once it can grow no more', async () => {
  printed.out('done\nalmost err')
  expect(await search('err')).toEqual({ matches: [], cursor: 5 })
  printed.out('or')
  printed.end()
  expect(await search('err', { from: 5 })).toEqual({
    matches: [{ offset: 5, stream: 'stdout', line: 'almost error' }],
    cursor: 17,
  })
})

test('a pattern is a regular expression, and what is written in it is found as it is too', async () => {
  printed.out('a.b\naxb\nsum (1 + 1) [x\nWARN\n')
  printed.end()
  const linesOf = async (pattern: string) => (await search(pattern)).matches.map(({ line }) => line)
  expect(await linesOf('^a.b$')).toEqual(['a.b', 'axb'])
  expect(await linesOf('(1 + 1)')).toEqual(['sum (1 + 1) [x'])
  expect(await linesOf('1) [x')).toEqual(['sum (1 + 1) [x'])
  expect(await linesOf('(?i)warn|error')).toEqual(['WARN'])
})

test('the lines around a match come with it', async () => {
  printed.out('1\n2\n3 hit\n4\n5\n6\n7 hit')
  printed.end()
  const { matches } = await search('hit', { context: 2 })
  expect(matches.map(({ before, after }) => ({ before, after }))).toEqual([
    { before: ['1', '2'], after: ['4', '5'] },
    { before: ['5', '6'], after: [] },
  ])
})

test('colours do not hide a text, and the place of a line is that in the output', async () => {
  printed.out('é one\n\x1b[31mer\x1b[0mror\nthree\n')
  printed.end()
  expect((await search('error')).matches).toEqual([{ offset: 7, stream: 'stdout', line: 'error' }])
  expect((await search('^three')).matches.map(({ offset }) => offset)).toEqual([22])
})

test('a pattern that would take for ever is refused, and nobody else waits for it', async () => {
  printed.out(`${'a'.repeat(60)}b\n`)
  printed.end()
  const clock = new FakeClock()
  const limits = { from: 0, budget: 1000, context: 0 }
  const refused = expect(searchOutput(printed.source, '^(a+)+$', limits, clock)).rejects.toThrow(PatternTooSlow)
  // This line is reached at all: the search is in a thread of its own.
  await clock.advance(3000)
  await refused
})

test('with a budget all matches are found in several goes, each once', async () => {
  const lines = Array.from({ length: 50 }, (_, i) => `hit ${i}`)
  printed.out(`${lines.join('\n')}\n`)
  printed.end()
  const found: string[] = []
  let from = 0
  for (let goes = 0; goes < 60 && from < printed.source.size; goes++) {
    const { matches, cursor } = await search('hit', { from, budget: 256 })
    found.push(...matches.map(({ line }) => line))
    from = cursor
  }
  expect(found).toEqual(lines)
})

test('a match longer than the budget does not hold up the search for ever', async () => {
  printed.out(`hit ${'x'.repeat(1000)}\nhit again\n`)
  printed.end()
  const first = await search('hit', { budget: 256 })
  expect({ told: first.matches.length, on: first.cursor > 0 }).toEqual({ told: 1, on: true })
})

test('a character at the border of what is read at once stays whole', async () => {
  printed.out(`a${'é'.repeat(524_288)}Z\n`)
  printed.end()
  expect((await search('éZ')).matches.length).toBe(1)
})

test('nothing printed, nothing found', async () => {
  expect(await search('x')).toEqual({ matches: [], cursor: 0 })
})
