import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { breathe } from './evict-runs.ts'
import type { RunLines } from './index-file.ts'
import { LedgerIndex } from './ledger-index.ts'

const root = mkdtempSync(join(tmpdir(), 'it-index-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let next = 0
function newFile(): string {
  const directory = join(root, String(next++))
  mkdirSync(directory)
  return join(directory, 'ledger.jsonl')
}
const indexOf = (file: string) => file.replace(/jsonl$/, 'idx')

const line = (type: string, id: string) =>
  `${JSON.stringify({ type, id, ...(type === 'ended' && { output_bytes: 7, lost_bytes: 2 }) })}\n`
const written = (index: LedgerIndex, file: string) => ({
  ...answers(index),
  each: IDS.map(id => index.find(id)),
  texts: existsSync(file) ? index.textsOf(index.all()) : [],
})
const answers = (index: LedgerIndex) => ({
  all: index.all(),
  open: index.open(),
  first: index.first(),
  newest: [index.newest(3), index.newest(100)],
  before: [index.before(90, 100), inPagesOf(2, index), inPagesOf(100, index)],
})
/** Newest first, each page from where the one before it ended. */
function inPagesOf(most: number, index: LedgerIndex): RunLines[] {
  const all: RunLines[] = []
  for (;;) {
    const page = index.before(all.at(-1)?.opened?.[0] ?? Number.POSITIVE_INFINITY, most)
    all.push(...page)
    if (page.length < most) return all
  }
}
const IDS = ['a', 'b', 'c', 'd', 'e', 'f']

const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('opened', 'started', 'ended'), fc.constantFrom(...IDS)) },
  { weight: 2, arbitrary: fc.constant('save' as const) },
  { weight: 1, arbitrary: fc.constant('another process' as const) },
)

test('what is saved on disk answers as the whole ledger would, whenever it was saved', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
      const file = newFile()
      let index = new LedgerIndex(file)
      const opened = new Set<string>()
      for (const each of steps) {
        if (each === 'save') await index.catchUp(breathe, 1)
        else if (each === 'another process') index = new LedgerIndex(file)
        // Nothing is started or ends that was not opened, and nothing is opened twice.
        else if ((each[0] === 'opened') !== opened.has(each[1])) {
          opened.add(each[1])
          appendFileSync(file, line(...each))
        }
      }
      const after = written(index, file)
      rmSync(indexOf(file), { force: true })
      expect(after).toEqual(written(new LedgerIndex(file), file))
    }),
    { numRuns: 40 },
  )
})

test('one of many is found, and the newest are listed, with nothing in memory', async () => {
  const file = newFile()
  const ids = Array.from({ length: 5000 }, (_, i) => `run-${i}`)
  writeFileSync(file, ids.map(id => line('opened', id) + line('ended', id)).join(''))
  await new LedgerIndex(file).catchUp(breathe, 1)
  const index = new LedgerIndex(file)
  expect(index.textsOf([index.find('run-4321') ?? index.all()[0] ?? raise()])).toEqual([
    [line('opened', 'run-4321').trim(), line('ended', 'run-4321').trim()],
  ])
  expect([index.newest(2).all, index.keptBytes, index.find('run-5000')]).toEqual([5000, 5000 * 5, null])
})

test('a ledger that is saved piece by piece is known as one that is read at once', async () => {
  const file = newFile()
  const padded = (type: string, id: string) =>
    `${JSON.stringify({ type, id, output_bytes: 1, pad: 'x'.repeat(4000) })}\n`
  const ids = Array.from({ length: 1200 }, (_, i) => `run-${i}`)
  const lines = ids.flatMap((id, i) => [
    padded('opened', id),
    ...(i >= 600 ? [padded('ended', ids[i - 600] ?? '')] : []),
  ])
  writeFileSync(file, lines.join(''))
  const whole = answers(new LedgerIndex(file))

  let turns = 0
  const index = new LedgerIndex(file)
  await index.catchUp(async () => {
    turns += 1
  }, 1)
  expect(turns).toBeGreaterThan(5)
  expect(answers(index)).toEqual(whole)
  expect([index.newest(1).all, index.keptBytes, index.open().length]).toEqual([600, 600, 600])
})

test('whoever waits has a turn after every ledger that is read for the first time', async () => {
  const file = newFile()
  writeFileSync(file, line('opened', 'a') + line('ended', 'a'))
  const index = new LedgerIndex(file)
  let turns = 0
  const rest = async () => {
    turns += 1
  }
  await index.catchUp(rest, 1)
  const first = turns
  await index.catchUp(rest, 1)
  await index.catchUp(rest, 1)
  expect(first).toBe(1)
  expect(turns).toBeLessThanOrEqual(2)
})

test('an index that was cut short, or that knows more than there is, counts for nothing', async () => {
  const file = newFile()
  writeFileSync(file, line('opened', 'a') + line('ended', 'a'))
  const whole = line('opened', 'a').length
  await new LedgerIndex(file).catchUp(breathe, 1)
  truncateSync(file, whole)
  expect(new LedgerIndex(file).open().length).toBe(1)
  await new LedgerIndex(file).catchUp(breathe, 1)
  truncateSync(indexOf(file), 30)
  expect(new LedgerIndex(file).open().length).toBe(1)
})

const raise = (): never => {
  throw new Error('there is none')
}
