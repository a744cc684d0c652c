import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LogBudget } from './log-budget.ts'
import { OutputLog } from './output-log.ts'
import { readRange } from './output-segments.ts'

const root = mkdtempSync(join(tmpdir(), 'it-budget-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const MB = 1024 * 1024
let next = 0
const roomy = () => ({ size: 1e12, free: 1e12 })

function newLog(budget: LogBudget) {
  const directory = join(root, String(next++))
  const log = new OutputLog({ directory, quotaBytes: 64 * MB, budget, onGrown: () => {} })
  const print = (megabytes: number) => {
    for (let i = 0; i < megabytes * 16; i++) log.append('stdout', Buffer.alloc(MB / 16, 97 + (i % 26)))
  }
  return { log, directory, print }
}

const sizeOf = (directory: string) =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)

test('one command that prints without end takes nothing from the others', () => {
  const budget = new LogBudget(20 * MB, roomy)
  const small = newLog(budget)
  const large = newLog(budget)
  small.print(3)
  large.print(60)
  small.print(3)
  expect([small.log.lost, sizeOf(small.directory)]).toEqual([0, 6 * MB])
  expect(sizeOf(small.directory) + sizeOf(large.directory)).toBeLessThanOrEqual(20 * MB)
})

test('what is given up is the middle, counted to the byte; head and tail stay', () => {
  const budget = new LogBudget(8 * MB, roomy)
  const { log, directory, print } = newLog(budget)
  print(40)
  const { pieces, lost } = readRange(directory, 0, 64 * MB)
  const bytes = Buffer.concat(pieces.map(piece => piece.bytes))
  expect([log.size, lost, bytes.length]).toEqual([40 * MB, log.lost, 40 * MB - log.lost])
  expect(pieces[0]?.start).toBe(0)
  expect(pieces.at(-1)?.bytes.at(-1)).toBe(97 + ((40 * 16 - 1) % 26))
})

test('a disk is never filled: what does not fit any more is counted as lost', () => {
  let written = 0
  const disk = () => ({ size: 100 * MB, free: 15 * MB - written })
  const budget = new LogBudget(1000 * MB, disk)
  const { log, directory, print } = newLog(budget)
  for (let i = 0; i < 40; i++) {
    print(1)
    written = sizeOf(directory)
  }
  expect(disk().free).toBeGreaterThanOrEqual(5 * MB - 2 * MB)
  expect(log.size - log.lost).toBe(sizeOf(directory))
})

test('a log that has ended gives its room to others, and is left alone', () => {
  const budget = new LogBudget(10 * MB, roomy)
  const first = newLog(budget)
  first.print(8)
  first.log.close()
  const second = newLog(budget)
  second.print(10)
  expect([first.log.lost, sizeOf(first.directory)]).toEqual([0, 8 * MB])
  expect(second.log.lost).toBeLessThanOrEqual(2 * MB)
})

test('on a nearly full disk a command still has the beginning of its output, and the disk is left alone after that', () => {
  const budget = new LogBudget(1000 * MB, () => ({ size: 1000 * MB, free: 20 * MB }))
  const { log, print } = newLog(budget)
  print(10)
  expect([log.size, log.size - log.lost]).toEqual([10 * MB, 2 * MB])
  const full = newLog(new LogBudget(1000 * MB, () => ({ size: 1000 * MB, free: MB })))
  full.print(1)
  expect(full.log.lost).toBe(MB)
})
