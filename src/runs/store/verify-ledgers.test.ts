import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openedLine } from '../../../test/fakes/opened-line.ts'
import { evictRuns } from './evict-runs.ts'
import { Ledger } from './ledger.ts'
import { lastMark } from './ledger-chain.ts'
import { type LedgerAnchor, verifyLedgers } from './verify-ledgers.ts'

let state: string
let ledger: Ledger
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'it-verify-'))
  ledger = new Ledger(join(state, 'runs', '2030-01-10', 'srv_a'))
  for (const id of ['a', 'b', 'c', 'd']) ledger.append(opened(id))
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

const opened = (id: string) => openedLine(id, { command: `echo ${id}`, server: { id: 'srv_a', pid: 1, start: '1' } })

const file = () => join(ledger.directory, 'ledger.jsonl')
const lines = () => readFileSync(file(), 'utf8').split('\n').filter(Boolean)
const rewrite = (kept: readonly string[]) => writeFileSync(file(), `${kept.join('\n')}\n`)
const anchored = (): LedgerAnchor[] => [{ ledger: '2030-01-10/srv_a', ...lastMark(file()) }]

test('a ledger nobody has touched is sound; without a host that saw it, that is said', () => {
  expect(verifyLedgers(state, anchored())).toEqual({ ledgers: 1, problems: [], unanchored: 0 })
  expect(verifyLedgers(state, [])).toEqual({ ledgers: 1, problems: [], unanchored: 1 })
})

test.each([
  [
    'a changed line',
    () => rewrite(lines().map((line, at) => (at === 1 ? line.replace('echo b', 'echo x') : line))),
    'line 2 was changed, or a line before it is missing',
  ],
  [
    'a removed line',
    () => rewrite(lines().filter((_, at) => at !== 1)),
    'line 2 was changed, or a line before it is missing',
  ],
  [
    'a line that was put in',
    () => rewrite([...lines().slice(0, 2), JSON.stringify(opened('x')), ...lines().slice(2)]),
    'line 3 is not chained',
  ],
  ['an end that was cut off', () => rewrite(lines().slice(0, 2)), 'it ends at line 2, a host saw line 4'],
  ['a ledger that was removed', () => rmSync(ledger.directory, { recursive: true }), 'it is missing'],
])('%s is reported', (_what, tamper, problem) => {
  const anchors = anchored()
  tamper()
  expect(verifyLedgers(state, anchors).problems).toEqual([`2030-01-10/srv_a: ${problem}`])
})

test('a ledger written anew from the start is not the one a host saw', () => {
  const anchors = anchored()
  rmSync(ledger.directory, { recursive: true })
  for (const id of ['w', 'x', 'y', 'z']) ledger.append(opened(id))
  expect(verifyLedgers(state, anchors).problems).toEqual(['2030-01-10/srv_a: line 4 is not the one a host saw'])
})

test('two servers that write to one ledger, and a line cut short by a crash, are no tampering', () => {
  const other = new Ledger(ledger.directory)
  other.append(opened('e'))
  writeFileSync(file(), '{"type":"opened","v":1,"id":"cut', { flag: 'a' })
  ledger.append(opened('f'))
  other.append(opened('g'))
  expect(verifyLedgers(state, anchored()).problems).toEqual([])
  expect(ledger.read().map(run => run.opened.id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})

test('what was let go for its age is not missing', async () => {
  const anchors = anchored()
  ledger.close()
  await evictRuns([ledger], { oldestDay: '2031-01-01', totalBytes: 1e9 })
  expect(verifyLedgers(state, anchors)).toEqual({ ledgers: 0, problems: [], unanchored: 0 })
  const stub = JSON.parse(readFileSync(join(state, 'runs', 'retired.jsonl'), 'utf8'))
  expect(stub).toEqual({ ledger: '2030-01-10/srv_a', first: expect.any(String), last: anchors[0]?.hash, lines: 4 })
})
