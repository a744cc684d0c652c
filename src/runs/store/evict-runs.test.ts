import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { breathe, evictRuns } from './evict-runs.ts'
import { Ledger } from './ledger.ts'

const root = mkdtempSync(join(tmpdir(), 'it-evict-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A ledger with so many runs of 100 bytes each, the oldest first. */
function ledgerWith(day: string, runs: number): Ledger {
  const ledger = new Ledger(join(root, day, 'srv'))
  for (let i = 0; i < runs; i++) {
    const directory = ledger.outputDirectory(`job${i}`)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, '0.log'), Buffer.alloc(100))
    utimesSync(join(directory, '0.log'), 1000 + i, 1000 + i)
  }
  return ledger
}

test('whoever waits has a turn after every few hundred runs that are looked at', async () => {
  const ledger = ledgerWith('2030-01-10', 2000)
  let rests = 0
  await evictRuns([ledger], { oldestDay: '2030-01-01', totalBytes: 1e9 }, () => {
    rests += 1
    return breathe()
  })
  expect(rests).toBeGreaterThanOrEqual(2000 / 256)
  expect(readdirSync(ledger.directory).length).toBe(2000)
})

test('only as much as must goes, the oldest first', async () => {
  const ledger = ledgerWith('2030-01-11', 10)
  await evictRuns([ledger], { oldestDay: '2030-01-01', totalBytes: 750 })
  expect(readdirSync(ledger.directory).sort()).toEqual([
    'run-job3',
    'run-job4',
    'run-job5',
    'run-job6',
    'run-job7',
    'run-job8',
    'run-job9',
  ])
})
