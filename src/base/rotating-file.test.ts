import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { appendRotating } from './rotating-file.ts'

let directory: string
let file: string
const LIMITS = { bytes: 100, files: 3 }
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'it-log-'))
  file = join(directory, 'host.log')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const lineOf = (n: number) => `line ${String(n).padStart(14, '0')}\n` // 20 bytes
const write = (from: number, to: number) => {
  for (let n = from; n <= to; n++) appendRotating(file, lineOf(n), LIMITS)
}
const text = (name: string) => readFileSync(join(directory, name), 'utf8')
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => lineOf(from + i)).join('')

test('a full log makes room: no line is lost until the oldest file goes, and nobody else can read any', () => {
  write(1, 15)
  expect([text('host.log.2'), text('host.log.1'), text('host.log')]).toEqual([lines(1, 5), lines(6, 10), lines(11, 15)])
  write(16, 16)
  expect([text('host.log.2'), text('host.log.1'), text('host.log')]).toEqual([lines(6, 10), lines(11, 15), lineOf(16)])
  expect(readdirSync(directory).sort()).toEqual(['host.log', 'host.log.1', 'host.log.2'])
  for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600)
})

test('a process that has the log open as its stderr always writes into a file that is kept', () => {
  const stderr = openSync(file, 'a', 0o600)
  for (let round = 0; round < 7; round++) {
    write(1, 5)
    writeSync(stderr, `last words ${round}\n`)
    const kept = readdirSync(directory).map(text).join('')
    expect(kept).toContain(`last words ${round}\n`)
  }
  closeSync(stderr)
})

test('a line longer than a whole file is written all the same', () => {
  const long = `${'x'.repeat(500)}\n`
  for (const line of [long, lineOf(1), long]) appendRotating(file, line, LIMITS)
  expect([text('host.log.2'), text('host.log.1'), text('host.log')]).toEqual([long, lineOf(1), long])
})

test('with one file only, the log begins anew', () => {
  for (let n = 1; n <= 7; n++) appendRotating(file, lineOf(n), { bytes: 100, files: 1 })
  expect([text('host.log'), readdirSync(directory)]).toEqual([lines(6, 7), ['host.log']])
})

test('a link in the place of the log or of an old one is neither followed nor moved when room is made', () => {
  const elsewhere = join(directory, 'elsewhere')
  writeFileSync(elsewhere, 'of somebody else')
  symlinkSync(elsewhere, join(directory, 'host.log.2'))
  write(1, 20)
  expect(text('elsewhere')).toBe('of somebody else')

  rmSync(file)
  symlinkSync(elsewhere, file)
  write(1, 20)
  expect(text('elsewhere')).toBe(`of somebody else${lines(1, 20)}`)
  expect(existsSync(`${file}.next`)).toBe(false)
})
