import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type ApproverRecord, makeApproverRecord } from '../../base/keys/approver-key.ts'
import { SessionSeal } from '../../runs/journal/decisions-seal.ts'
import type { JournalEntry } from '../../runs/journal/journal-row.ts'
import { ApproverRecordFile } from './record.ts'

const [MINE, EVIL] = [makeApproverRecord('what I chose'), makeApproverRecord('what it chose')]
let file: string
let rows: JournalEntry[]
let alarms: string[]
let seal: SessionSeal
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'it-record-')), 'approver.v1.json')
  rows = []
  alarms = []
  seal = new SessionSeal()
})
const put = (record: ApproverRecord) => writeFileSync(file, JSON.stringify(record))
const host = () =>
  new ApproverRecordFile({
    file,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    journal: {
      append: entry => void rows.push(entry),
      newest: kind => rows.filter(row => row.kind === kind).slice(-1) as never,
    },
    alarm: message => alarms.push(message),
    onChange() {},
    seal,
  })

test('what the first host finds is the person’s, and the next one knows it', () => {
  put(MINE)
  expect([host().current, host().current]).toEqual([MINE, MINE])
  expect([rows.length, alarms]).toEqual([1, []])
})

test('A10: one that appears while a host runs, or while none runs, counts for nobody, and is told once', () => {
  const first = host()
  put(EVIL)
  expect([first.current, first.current, first.isSet]).toEqual([null, null, false])
  expect(alarms).toEqual([expect.stringContaining('admits nobody')])
  expect(host().current).toBe(null)
  expect(alarms).toHaveLength(2)
})

test('A10: one that takes the place of the person’s counts for nobody; the person’s still does, also without its file', () => {
  put(MINE)
  const first = host()
  put(EVIL)
  expect([first.current, host().current]).toEqual([MINE, MINE])
  expect(alarms).toHaveLength(2)
  rmSync(file)
  expect(host().current).toEqual(MINE)
})

test('one that a person sets where the host vouches for them counts at once and for the next host', () => {
  const first = host()
  first.set('what I chose', 'window (apr_1)')
  expect([first.fits('what I chose'), first.fits('what it chose')]).toEqual([true, false])
  expect(host().fits('what I chose')).toBe(true)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(first.current)
  expect(JSON.stringify(rows)).not.toContain('what I chose')
  expect(alarms).toEqual([])
})

test('a file that cannot be read is not taken for none: what is put back counts', () => {
  writeFileSync(file, '{"v": 1')
  expect(host().current).toBe(null)
  put(MINE)
  expect(host().current).toEqual(MINE)
})

test('whoever gives the passphrase that counts, or sets another, lets this host seal; any other word does not', () => {
  put(MINE)
  const first = host()
  first.fits('what it chose')
  expect(seal.isFor(first.current)).toBe(false)
  first.fits('what I chose')
  expect(seal.isFor(first.current)).toBe(true)
  first.set('what I chose next', 'window (apr_1)')
  expect([seal.isFor(MINE), seal.isFor(first.current)]).toEqual([false, true])
})
