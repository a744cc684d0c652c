import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Terminal } from '@xterm/headless'
import { afterAll, expect, test } from 'vitest'
import { OutputLog } from '../../base/output/output-log.ts'
import { RunScreen, type SizeAt } from './screen.ts'

const root = mkdtempSync(join(tmpdir(), 'it-screen-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function printed(name: string, quotaBytes = 64 * 1024 * 1024) {
  const directory = join(root, name)
  const log = new OutputLog({ directory, quotaBytes, onGrown: () => {} })
  const sizes: SizeAt[] = [{ offset: 0, cols: 40, rows: 5 }]
  const screen = new RunScreen({ source: () => ({ directory, size: log.size }), sizes: () => sizes })
  return { screen, sizes, log, print: (text: string) => log.append('stdout', Buffer.from(text)) }
}

/** What a person would see of this in a terminal of that size. */
async function seen(text: string, cols = 40, rows = 5): Promise<string[]> {
  const terminal = new Terminal({ cols, rows, allowProposedApi: true })
  await new Promise<void>(done => terminal.write(text, done))
  const { active } = terminal.buffer
  return Array.from({ length: rows }, (_, i) => active.getLine(active.baseY + i)?.translateToString(true) ?? '')
}

test('a screen is what a terminal shows that was there from the beginning', async () => {
  const { screen, print } = printed('plain')
  const text = 'one\r\n\x1b[31mtwo\x1b[0m\r\n\x1b[2;3Hover'
  print(text)
  const shot = await screen.now()
  expect([shot.offset, shot.cols, shot.rows, shot.omittedBytes]).toEqual([text.length, 40, 5, 0])
  expect(await seen(shot.screen)).toEqual(await seen(text))
})

test('the screen of a full-screen program comes back, and the output goes on where it was cut', async () => {
  const { screen, print } = printed('vim')
  const before = 'shell$ vim\r\n\x1b[?1049h\x1b[2J\x1b[1;1H~ file\x1b[3;1H'
  print(`${before}\x1b[3`)
  const shot = await screen.now()
  // The half sequence is not part of it: it comes with the rest.
  expect(shot.offset).toBe(before.length)
  print('1mred\x1b[0m')
  expect(await seen(`${shot.screen}\x1b[31mred\x1b[0m`)).toEqual(['~ file', '', 'red', '', ''])
})

test('a terminal that changed its size is followed through its sizes', async () => {
  const { screen, print, sizes, log } = printed('sizes')
  print('0123456789'.repeat(5))
  sizes.push({ offset: log.size, cols: 20, rows: 4 })
  print('\r\nafter')
  const shot = await screen.now()
  expect([shot.cols, shot.rows]).toEqual([20, 4])
  const other = new Terminal({ cols: 40, rows: 5, allowProposedApi: true })
  await new Promise<void>(done => other.write('0123456789'.repeat(5), done))
  other.resize(20, 4)
  await new Promise<void>(done => other.write('\r\nafter', done))
  const { active } = other.buffer
  const rows = Array.from({ length: 4 }, (_, i) => active.getLine(active.baseY + i)?.translateToString(true) ?? '')
  expect(await seen(shot.screen, 20, 4)).toEqual(rows)
})

test('a second look reads only what is new', async () => {
  const { screen, print } = printed('twice')
  print('a'.repeat(1000))
  await screen.now()
  expect(screen.behind).toBe(0)
  print('\r\nnew')
  expect(screen.behind).toBe(5)
  expect((await screen.now()).screen).toContain('new')
})

test('what the quota dropped is counted, and the end is right', async () => {
  const { screen, print } = printed('dropped', 64 * 1024)
  for (let i = 0; i < 5000; i++) print(`line ${i} ${'.'.repeat(40)}\r\n`)
  const shot = await screen.now()
  expect(shot.omittedBytes).toBeGreaterThan(100_000)
  expect(shot.screen).toContain('line 4999')
})
