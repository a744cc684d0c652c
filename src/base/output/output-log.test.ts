import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type OutputSource, textFrom } from '../../runs/output/output-text.ts'
import { OutputLog } from './output-log.ts'
import { readRange, type Stream } from './output-segments.ts'

const root = mkdtempSync(join(tmpdir(), 'it-log-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const MB = 1024 * 1024
let next = 0

function newLog(quotaBytes = 64 * MB) {
  const directory = join(root, String(next++))
  const log = new OutputLog({ directory, quotaBytes, onGrown: () => {} })
  return { log, directory, source: (over: boolean): OutputSource => ({ directory, size: log.size, over }) }
}

const bytesIn = (directory: string): number =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)

/** Reads from the start to the end in pages, as an agent would. */
function pages(source: OutputSource, budget: number) {
  const text = { stdout: '', stderr: '' }
  const turns: { stream: Stream; text: string }[] = []
  let cursor = 0
  let lost = 0
  while (cursor < source.size) {
    const page = textFrom(source, cursor, budget)
    if (page.cursor <= cursor) throw new Error(`reading stands still at ${cursor} of ${source.size}`)
    const at = { stdout: 0, stderr: 0 }
    const alone = page.stdout === '' ? 'stderr' : 'stdout'
    const order = page.order.length > 0 ? page.order : [{ stream: alone as Stream, chars: page[alone].length }]
    for (const { stream, chars } of order) {
      turns.push({ stream, text: page[stream].slice(at[stream], at[stream] + chars) })
      at[stream] += chars
    }
    text.stdout += page.stdout
    text.stderr += page.stderr
    cursor = page.cursor
    lost += page.lost
  }
  return { ...text, cursor, lost, turns }
}

/** Neighbours of one stream as one: where a page ends says nothing about the streams. */
const joined = (turns: readonly { stream: Stream; text: string }[]) => {
  const all: { stream: Stream; text: string }[] = []
  for (const { stream, text } of turns) {
    const last = all.at(-1)
    if (last?.stream === stream) last.text += text
    else if (text !== '') all.push({ stream, text })
  }
  return all
}

// Whole characters of one to four bytes; no escapes, which output-text.test.ts looks at.
const words = fc.string({
  unit: fc.constantFrom('a', 'Z', '\n', ' ', 'é', 'ß', '€', '中', '😀', '👩‍👩‍👧', '\u0301', '\ufeff'),
  minLength: 1,
  maxLength: 40,
})
const turnsOfTwo = fc.array(fc.record({ stream: fc.constantFrom<Stream>('stdout', 'stderr'), text: words }), {
  maxLength: 40,
})

test('however it is printed, a log never takes more of the disk than its quota, and what is left is in its place', () => {
  const pieces = fc.array(
    fc.record({
      stream: fc.constantFrom<Stream>('stdout', 'stderr'),
      unit: fc.constantFrom('a', 'é', '€', '😀', '\x80'),
      times: fc.integer({ min: 1, max: 30_000 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  fc.assert(
    fc.property(pieces, fc.integer({ min: 32 * 1024, max: 100_000 }), (all, quota) => {
      const { log, directory } = newLog(quota)
      const printed: Buffer[] = []
      for (const { stream, unit, times } of all) {
        const bytes = Buffer.from(unit.repeat(times), unit === '\x80' ? 'latin1' : 'utf8')
        printed.push(bytes)
        log.append(stream, bytes)
        expect(bytesIn(directory)).toBeLessThanOrEqual(quota)
      }
      log.close()
      const everything = Buffer.concat(printed)
      const { pieces: left, lost } = readRange(directory, 0, everything.length)
      expect([log.size, lost, left.reduce((sum, { bytes }) => sum + bytes.length, 0)]).toEqual([
        everything.length,
        log.lost,
        everything.length - log.lost,
      ])
      for (const { start, bytes } of left)
        expect(everything.subarray(start, start + bytes.length).equals(bytes)).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test('pages of any size put together are what was printed, stream by stream and in its order', () => {
  fc.assert(
    fc.property(turnsOfTwo, fc.integer({ min: 4, max: 300 }), (turns, budget) => {
      const { log, source } = newLog()
      for (const { stream, text } of turns) log.append(stream, Buffer.from(text))
      log.close()
      const read = pages(source(true), budget)
      const printed = (stream: Stream) =>
        turns
          .filter(turn => turn.stream === stream)
          .map(turn => turn.text)
          .join('')
      expect({ stdout: read.stdout, stderr: read.stderr, cursor: read.cursor, lost: read.lost }).toEqual({
        stdout: printed('stdout'),
        stderr: printed('stderr'),
        cursor: log.size,
        lost: 0,
      })
      expect(joined(read.turns)).toEqual(joined(turns))
    }),
    { numRuns: 60 },
  )
})

test('characters cut by the pipe on both streams at once come out whole', () => {
  fc.assert(
    fc.property(words, words, fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1 }), (out, err, sizes) => {
      const { log, source } = newLog()
      const left = { stdout: Buffer.from(out), stderr: Buffer.from(err) }
      for (let i = 0; left.stdout.length + left.stderr.length > 0; i++) {
        const stream = i % 2 === 0 ? 'stdout' : 'stderr'
        const size = sizes[i % sizes.length] ?? 1
        log.append(stream, left[stream].subarray(0, size))
        left[stream] = left[stream].subarray(size)
      }
      log.endStream('stdout')
      log.endStream('stderr')
      log.close()
      const { stdout, stderr } = pages(source(true), 7)
      expect({ stdout, stderr }).toEqual({ stdout: out, stderr: err })
    }),
    { numRuns: 60 },
  )
})

test('what was read while it grew and what is read afterwards is the same', () => {
  const { log, source } = newLog()
  let live = ''
  let cursor = 0
  for (const byte of Buffer.from('grün 中文 😀 end')) {
    log.append('stdout', Buffer.from([byte]))
    const page = textFrom(source(false), cursor, 256)
    live += page.stdout
    cursor = page.cursor
  }
  log.close()
  expect([live, pages(source(true), 256).stdout]).toEqual(['grün 中文 😀 end', 'grün 中文 😀 end'])
})

test('a character that never got finished is still there at the end', () => {
  const { log, source } = newLog()
  log.append('stdout', Buffer.from([0x61, 0xe2, 0x82]))
  log.close()
  expect([log.size, pages(source(true), 256).stdout]).toEqual([3, 'a\ufffd'])
})

test('bytes that are no text keep their place and their number', () => {
  const { log, directory } = newLog()
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
  for (const stream of ['stdout', 'stderr'] as const) {
    log.append(stream, bytes)
    log.endStream(stream)
  }
  log.close()
  const { pieces } = readRange(directory, 0, MB)
  expect(pieces.map(({ stream, start, bytes: read }) => ({ stream, start, bytes: Buffer.from(read) }))).toEqual([
    { stream: 'stdout', start: 0, bytes },
    { stream: 'stderr', start: 256, bytes },
  ])
})

test('a command that prints nothing leaves no file', () => {
  const { log, directory } = newLog()
  log.append('stdout', Buffer.alloc(0))
  log.close()
  expect(readdirSync(root)).not.toContain(directory.slice(root.length + 1))
})

test('over the quota the head and the tail stay, the middle goes, and the gap is counted to the byte', () => {
  const { log, directory, source } = newLog(MB)
  const line = (i: number) => `${String(i).padStart(9, '0')}\n`
  const lines = 500_000
  for (let i = 0; i < lines; i += 1000)
    log.append('stdout', Buffer.from(Array.from({ length: 1000 }, (_, j) => line(i + j)).join('')))
  log.close()
  const kept = readdirSync(directory).length
  const read = pages(source(true), 64 * 1024)
  expect(log.size).toBe(lines * 10)
  expect([read.stdout.length + read.lost, read.lost, kept <= 8]).toEqual([log.size, log.lost, true])
  expect(read.stdout.length).toBeLessThanOrEqual(MB + 64 * 1024)
  expect([read.stdout.startsWith(line(0)), read.stdout.endsWith(line(lines - 1))]).toEqual([true, true])
})

test('300 MB of output do not stay in memory', { timeout: 30_000 }, () => {
  const { log } = newLog(16 * MB)
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const write = (mb: number) => {
    for (let i = 0; i < mb * 16; i++) log.append(i % 64 === 0 ? 'stderr' : 'stdout', chunk)
  }
  write(20)
  const before = process.memoryUsage().rss
  write(280)
  log.close()
  expect([log.size, (process.memoryUsage().rss - before) / MB < 60]).toEqual([300 * MB, true])
})

test('where nothing can be written every byte is counted as lost and nothing breaks', () => {
  const { log, directory, source } = newLog()
  writeFileSync(directory, 'a file where the directory should be')
  log.append('stdout', Buffer.from('one'))
  log.append('stderr', Buffer.from('two'))
  log.close()
  expect({ size: log.size, lost: log.lost, stdout: textFrom(source(true), 0, 100).stdout }).toEqual({
    size: 6,
    lost: 6,
    stdout: '',
  })
})

test('what was printed while the disk was full is a gap; what comes after it is kept', () => {
  const { log, directory, source } = newLog()
  writeFileSync(directory, 'in the way')
  log.append('stderr', Buffer.from('gone'))
  rmSync(directory)
  mkdirSync(directory)
  log.append('stderr', Buffer.from('here'))
  log.append('stdout', Buffer.from(' again'))
  log.close()
  const page = textFrom(source(true), 0, 100)
  expect(page).toMatchObject({ stdout: ' again', stderr: 'here', cursor: 14, omitted: 0, lost: 4 })
})

test('who reads on from a cursor reaches the end also when the last bytes were lost', () => {
  const { log, directory, source } = newLog()
  log.append('stdout', Buffer.from('kept'))
  log.close()
  rmSync(directory, { recursive: true })
  writeFileSync(directory, 'in the way')
  log.append('stdout', Buffer.from('gone'))
  rmSync(directory)
  const page = textFrom(source(true), 4, 100)
  expect({ cursor: page.cursor, omitted: page.omitted, lost: page.lost }).toEqual({ cursor: 8, omitted: 0, lost: 4 })
})
