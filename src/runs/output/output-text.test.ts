import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { OutputLog } from '../../base/output/output-log.ts'
import type { Stream } from '../../base/output/output-segments.ts'
import { type OutputSource, textFrom, textOf } from './output-text.ts'

const root = mkdtempSync(join(tmpdir(), 'it-text-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let next = 0

function printed(...turns: readonly (string | { readonly err: string })[]): OutputSource {
  const directory = join(root, String(next++))
  const log = new OutputLog({ directory, quotaBytes: 1e9, onGrown: () => {} })
  for (const turn of turns) {
    if (typeof turn === 'string') log.append('stdout', Buffer.from(turn))
    else log.append('stderr', Buffer.from(turn.err))
  }
  log.close()
  return { directory, size: log.size, over: true }
}

/** All of stdout, read in pages of `budget` bytes. */
function inPages(source: OutputSource, budget: number): string {
  let text = ''
  for (let cursor = 0; cursor < source.size; ) {
    const page = textFrom(source, cursor, budget)
    if (page.cursor <= cursor) throw new Error('reading stands still')
    text += page.stdout
    cursor = page.cursor
  }
  return text
}

test('short output is shown whole, both streams apart, with their order', () => {
  const source = printed('a', { err: 'bé' }, 'c')
  expect(textOf(source, 'both', 100)).toEqual({
    stdout: 'ac',
    stderr: 'bé',
    order: [
      { stream: 'stdout', chars: 1 },
      { stream: 'stderr', chars: 2 },
      { stream: 'stdout', chars: 1 },
    ],
    cursor: 5,
    omitted: 0,
    omittedFrom: 5,
    lost: 0,
  })
})

test('a gap is cut at the borders of lines, and says from where to read it', () => {
  const lines = Array.from({ length: 200 }, (_, i) => `line ${i} of a log\n`)
  const source = printed(lines.join(''))
  const shown = textOf(source, 'both', 900)
  const [head = '', note = '', tail = ''] = shown.stdout.split(
    /(\[\d+ bytes left out here; read_output with cursor \d+ shows them\]\n)/,
  )
  expect(lines.join('').startsWith(head) && head.endsWith('\n')).toBe(true)
  expect(tail.startsWith('line ') && lines.join('').endsWith(tail)).toBe(true)
  expect(note).toBe(`[${shown.omitted} bytes left out here; read_output with cursor ${head.length} shows them]\n`)
  expect({ from: shown.omittedFrom, all: head.length + shown.omitted + tail.length }).toEqual({
    from: head.length,
    all: source.size,
  })
  expect(textFrom(source, shown.omittedFrom, 1e6).stdout).toBe(lines.join('').slice(head.length))
})

test('of a run that prints on while it is read, no more is left out than there was', () => {
  const source = printed('x'.repeat(5000))
  const early = { ...source, size: 1000, over: false }
  expect(textOf(early, 'both', 600).omitted).toBeLessThanOrEqual(1000)
})

test.each(['head', 'tail', 'both'] as const)(
  'of long output the %s fits the budget and says what is left out',
  view => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 300, maxLength: 900 }),
        fc.integer({ min: 50, max: 250 }),
        (text, budget) => {
          const clean = text.replace(/[\x1b|]/g, '?')
          const source = printed(clean)
          const shown = textOf(source, view, budget)
          const head = Buffer.from(clean).subarray(0, shown.omittedFrom).toString()
          const note = `[${shown.omitted} bytes left out here; read_output with cursor ${shown.omittedFrom} shows them]\n`
          const [before = '', tail = ''] = shown.stdout.split(note)
          expect(before).toBe(head === '' || head.endsWith('\n') ? head : `${head}\n`)
          const bytes = Buffer.byteLength(head) + Buffer.byteLength(tail)
          expect(bytes).toBeLessThanOrEqual(budget)
          expect(bytes + shown.omitted).toBe(source.size)
          expect([clean.startsWith(head), clean.endsWith(tail)]).toEqual([true, true])
          expect(shown.cursor).toBe(view === 'head' ? Buffer.byteLength(head) : source.size)
        },
      ),
      { numRuns: 40 },
    )
  },
)

test('the cursor of the head reads on exactly where it ended, also when the first bytes were lost', () => {
  const directory = join(root, 'late')
  const log = new OutputLog({ directory, quotaBytes: 1e9, onGrown: () => {} })
  writeFileSync(directory, 'in the way')
  log.append('stdout', Buffer.from('lost!'))
  rmSync(directory)
  log.append('stdout', Buffer.from('0123456789'.repeat(10)))
  log.close()
  const source = { directory, size: log.size, over: true }
  const { cursor } = textOf(source, 'head', 20)
  expect(textFrom(source, cursor, 5).stdout).toBe('01234')
})

test.each([
  ['colours', '\x1b[31mred\x1b[0m', 'red'],
  ['a cursor move', 'a\x1b[2K\x1b[1Gb', 'b'],
  ['a title ended by a bell', '\x1b]0;title\x07text', 'text'],
  ['a title ended by ST', '\x1b]0;title\x1b\\text', 'text'],
  ['a link', '\x1b]8;;http://x\x1b\\name\x1b]8;;\x1b\\', 'name'],
  ['a device string', '\x1bPq#0\x1b\\text', 'text'],
  ['a charset switch', '\x1b(Btext', 'text'],
])('%s is not shown as text', (_, raw, text) => {
  expect(textOf(printed(raw), 'both', 1000).stdout).toBe(text)
})

test.each([
  ['a title that is never ended', '\x1b]0;visible text'],
  ['a device string that is never ended', '\x1bPvisible text'],
  ['a colour that is never ended', '\x1b[3\nvisible text'],
  ['an escape and nothing else', 'visible text\x1b'],
])('%s hides no text', (_, raw) => {
  expect(textOf(printed(raw), 'both', 1000).stdout).toContain('visible text')
})

test.each(['\x1b[38;5;196mred\x1b[0m and plain', 'x\x1b]0;a title\x07y', '\x1b[1;31mbold\x1b[0m\x1b[32mgreen\x1b[0m'])(
  'an escape sequence cut by the end of a page leaves no litter: %j',
  raw => {
    const source = printed(raw)
    const whole = textOf(source, 'both', 1000).stdout
    const budgets = [13, 14, 15, 16, 17, 18, 19, 20, 21]
    expect(budgets.map(budget => inPages(source, budget))).toEqual(budgets.map(() => whole))
  },
)

test('an escape sequence cut between two reads of a running command leaves no litter', () => {
  const directory = join(root, 'live')
  const log = new OutputLog({ directory, quotaBytes: 1e9, onGrown: () => {} })
  log.append('stdout', Buffer.from('one \x1b[3'))
  const first = textFrom({ directory, size: log.size, over: false }, 0, 1000)
  log.append('stdout', Buffer.from('1mred\x1b[0m'))
  const second = textFrom({ directory, size: log.size, over: false }, first.cursor, 1000)
  expect([first.stdout, second.stdout]).toEqual(['one ', 'red'])
})

test('text that looks like an unfinished sequence never stops the reading', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('\x1b', '[', ']', '3', 'm', ';', 'é', 'x', '\x07'), maxLength: 400 }),
      fc.integer({ min: 4, max: 300 }),
      (text, budget) => {
        inPages(printed(text), budget)
      },
    ),
    { numRuns: 100 },
  )
})

test('more turns than are told still give all text of both streams', () => {
  const turns = Array.from({ length: 1200 }, (_, i) => (i % 2 === 0 ? 'o' : { err: 'e' }))
  const text = textOf(printed(...turns), 'both', 10_000)
  const told = (stream: Stream) =>
    text.order.filter(turn => turn.stream === stream).reduce((sum, turn) => sum + turn.chars, 0)
  expect([text.stdout.length, text.stderr.length]).toEqual([600, 600])
  expect([told('stdout') <= 600, told('stderr') <= 600]).toEqual([true, true])
})

test('output that was evicted is told as lost, not as left out', () => {
  const source = { directory: join(root, 'evicted'), size: 1000, over: true }
  expect(
    [textOf(source, 'both', 500), textFrom(source, 0, 500)].map(({ omitted, lost }) => ({ omitted, lost })),
  ).toEqual([
    { omitted: 0, lost: 1000 },
    { omitted: 0, lost: 1000 },
  ])
})

test('a long progress bar is one line, however many times it was drawn, and nothing is called left out', () => {
  const bar = Array.from({ length: 5000 }, (_, i) => `\r${String(i).padStart(5)} of 5000`).join('')
  const source = printed('begin\n', { err: bar }, 'end\n')
  expect(textOf(source, 'both', 1000)).toMatchObject({ stdout: 'begin\nend\n', stderr: ' 4999 of 5000', omitted: 0 })
  expect(textFrom(source, 6, 1000)).toMatchObject({ stderr: ' 4999 of 5000', omitted: 0, cursor: source.size })
})

test('a line break cut in two by the end of a page does not become two', () => {
  const source = printed('one\r\ntwo\r\n')
  expect(inPages(source, 4)).toBe('one\r\ntwo\r\n')
})
