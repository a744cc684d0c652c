import { expect, test } from 'vitest'
import { RecentOutput } from './recent-output.ts'

const texts = (recent: RecentOutput, from: number, most = 1000) => {
  const range = recent.read(from, most)
  return (
    range && { next: range.next, pieces: range.pieces.map(({ stream, start, bytes }) => [stream, start, `${bytes}`]) }
  )
}

test('the last that was printed is read as it came, from any place in it, both streams', () => {
  const recent = new RecentOutput()
  recent.add('stdout', 10, Buffer.from('hello '))
  recent.add('stderr', 16, Buffer.from('world'))
  expect(texts(recent, 10)).toEqual({
    next: 21,
    pieces: [
      ['stdout', 10, 'hello '],
      ['stderr', 16, 'world'],
    ],
  })
  expect(texts(recent, 14)).toEqual({
    next: 21,
    pieces: [
      ['stdout', 14, 'o '],
      ['stderr', 16, 'world'],
    ],
  })
  expect(texts(recent, 14, 3)).toEqual({
    next: 17,
    pieces: [
      ['stdout', 14, 'o '],
      ['stderr', 16, 'w'],
    ],
  })
  expect(texts(recent, 21)).toEqual({ next: 21, pieces: [] })
})

test('what came earlier, or in a flood, or beside bytes that are lost, is on disk only', () => {
  const recent = new RecentOutput()
  expect(recent.read(0, 10)).toBeNull()
  for (let i = 0; i < 100; i++) recent.add('stdout', i * 1000, Buffer.alloc(1000, 'x'))
  expect(recent.read(50_000, 10)).toBeNull()
  expect(recent.read(99_000, 10_000)?.next).toBe(100_000)
  recent.add('stdout', 100_000, Buffer.alloc(60_000))
  expect(recent.read(99_000, 10)).toBeNull()
  recent.add('stdout', 160_000, Buffer.from('x'))
  expect(recent.read(160_000, 10)?.next).toBe(160_001)
  recent.clear()
  expect(recent.read(160_000, 10)).toBeNull()
})

test('as much as the longest secret is long can be read before the last page, also where every line came by itself', () => {
  const recent = new RecentOutput()
  const line = Buffer.alloc(30, 'x')
  for (let i = 0; i < 2000; i++) recent.add(i % 7 === 0 ? 'stderr' : 'stdout', i * 30, line)
  const page = recent.read(60_000 - 8 * 1024, 8 * 1024)
  const before = recent.read(60_000 - 24 * 1024, 16 * 1024)
  expect(page?.next).toBe(60_000)
  expect(before?.next).toBe(60_000 - 8 * 1024)
  expect(before?.pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBe(16 * 1024)
})
