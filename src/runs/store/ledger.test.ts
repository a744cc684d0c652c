import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openedLine } from '../../../test/fakes/opened-line.ts'
import type { EndedLine, StartedLine } from '../../contract/disk/run-record.ts'
import { Ledger } from './ledger.ts'

const root = mkdtempSync(join(tmpdir(), 'it-ledger-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let next = 0
const newLedger = () => new Ledger(join(root, String(next++)))

const opened = (id: string) => openedLine(id)
const started = (id: string): StartedLine => ({
  type: 'started',
  id,
  pid: 7,
  start: '70',
  mark: `RUN=${id}`,
  executable: '/bin/true',
  plan_hash: 'plan',
  at: 2,
})
const ended = (id: string): EndedLine => ({
  type: 'ended',
  id,
  state: 'exited',
  at: 3,
  started_at: 2,
  took_ms: 1,
  exit_code: 0,
  signal: null,
  ended_by: null,
  why: null,
  destructive: false,
  survivors: [],
  output_bytes: 0,
  lost_bytes: 0,
  drained: true,
})

test('a run is what its lines tell, all of it or only one of many', () => {
  const ledger = newLedger()
  for (const line of [opened('a'), opened('b'), started('b'), ended('b')]) ledger.append(line)
  const a = { opened: opened('a'), allowed: null, started: null, ended: null, directory: ledger.outputDirectory('a') }
  const b = {
    opened: opened('b'),
    allowed: null,
    started: started('b'),
    ended: ended('b'),
    directory: ledger.outputDirectory('b'),
  }
  expect([ledger.read(), ledger.find('b'), ledger.find('c')]).toEqual([[a, b], b, null])
  ledger.release()
})

test('only the owner can read it', () => {
  const ledger = newLedger()
  ledger.append(opened('a'))
  ledger.release()
  expect(statSync(join(ledger.directory, 'ledger.jsonl')).mode & 0o077).toBe(0)
})

test('a line cut short by a crash tells nothing, and the lines before it still count', () => {
  const ledger = newLedger()
  ledger.append(opened('a'))
  appendFileSync(join(ledger.directory, 'ledger.jsonl'), JSON.stringify(ended('a')).slice(0, 40))
  expect(ledger.read().map(run => run.ended)).toEqual([null])
  ledger.release()
})

test('an ending cut short by a crash is none, however much of it is there, and the next one counts', () => {
  const ledger = newLedger()
  ledger.append(opened('a'))
  appendFileSync(join(ledger.directory, 'ledger.jsonl'), JSON.stringify(ended('a')).slice(0, -1))
  ledger.release()
  ledger.append(opened('b'))
  expect(ledger.readOpen().map(run => run.opened.id)).toEqual(['a', 'b'])
  ledger.append(ended('a'))
  expect([ledger.readOpen().map(run => run.opened.id), ledger.newest(5).all]).toEqual([['b'], 1])
  ledger.release()
})

test('what another server appends is seen at the next look', () => {
  const ledger = newLedger()
  ledger.append(opened('a'))
  const other = new Ledger(ledger.directory)
  expect(other.find('a')?.ended).toBe(null)
  ledger.append(ended('a'))
  ledger.append(opened('b'))
  expect([other.find('a')?.ended, other.read().length, other.newest(1).runs[0]?.opened.id]).toEqual([
    ended('a'),
    2,
    'a',
  ])
  ledger.release()
})

test('what is written after a line cut short by a crash can be read', () => {
  const ledger = newLedger()
  ledger.append(opened('a'))
  ledger.release()
  appendFileSync(join(ledger.directory, 'ledger.jsonl'), JSON.stringify(started('a')).slice(0, 40))
  ledger.append(ended('a'))
  ledger.release()
  expect(ledger.find('a')?.ended).toEqual(ended('a'))
})

test('a ledger is closed by one of two', () => {
  const ledger = newLedger()
  ledger.append(opened('a'))
  const other = new Ledger(ledger.directory)
  expect([ledger.closed, ledger.close(), other.close(), other.closed]).toEqual([false, true, false, true])
})

test('ids of every allowed kind have directories of their own that are none of the ledger’s files', () => {
  const ledger = newLedger()
  const ids = ['a', 'a.', 'a:', 'a%3A'.replace('%', '_'), '.', '..', 'closed', 'ledger.jsonl', 'A-_.:z']
  const names = ids.map(id => ledger.outputDirectory(id).slice(ledger.directory.length + 1))
  expect(new Set(names).size).toBe(ids.length)
  expect(names.filter(name => !name.startsWith('run-') || name.includes('/'))).toEqual([])
})

test('nothing of a variable but its name is written down', () => {
  const ledger = newLedger()
  ledger.append({ ...opened('a'), env_names: ['CI'] })
  ledger.release()
  expect(JSON.parse(readFileSync(join(ledger.directory, 'ledger.jsonl'), 'utf8'))).toMatchObject({ env_names: ['CI'] })
})

test('a line that a full disk cut short does not swallow the next one', () => {
  const ledger = newLedger()
  ledger.append(opened('first'))
  // What the disk took of a line before it was full; whoever wrote it lives on.
  appendFileSync(join(ledger.directory, 'ledger.jsonl'), JSON.stringify(opened('cut')).slice(0, 80))
  ledger.append(opened('next'))
  ledger.append(ended('next'))
  expect(ledger.read().map(run => [run.opened.id, run.ended?.state])).toEqual([
    ['first', undefined],
    ['next', 'exited'],
  ])
})

test('a ledger that was removed while it was written to goes on in a new file', () => {
  const ledger = newLedger()
  ledger.append(opened('before'))
  rmSync(ledger.directory, { recursive: true })
  ledger.append(opened('after'))
  expect(new Ledger(ledger.directory).read().map(run => run.opened.id)).toEqual(['after'])
})
