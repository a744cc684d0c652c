import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WindowFrame } from '../../contract/window/window-frames.ts'
import { PreferencesFile } from './preferences-file.ts'

let directory: string
let file: string
const warned: string[] = []
const log = { debug() {}, info() {}, warn: (event: string) => void warned.push(event), error() {} }
const open = () => new PreferencesFile(file, log)
const NO_TIMES = { question_wait_s: null, idle_tabs_s: null, idle_host_s: null }
const UNSET = {
  theme: null,
  sound: false,
  notifications: null,
  late_sound: true,
  terminal_font_size: 13,
  ...NO_TIMES,
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'preferences-'))
  file = join(directory, 'window-preferences.v1.json')
  warned.length = 0
})
afterEach(() => {
  chmodSync(directory, 0o700)
  rmSync(directory, { recursive: true })
})

test('what was chosen is there for the next host, readable by its owner only', () => {
  expect(open().now).toEqual(UNSET)
  const first = open()
  first.change({ theme: 'dark' })
  first.change({ sound: true, notifications: false })
  expect(open().now).toEqual({ ...UNSET, theme: 'dark', sound: true, notifications: false })
  expect([statSync(file).mode & 0o777, readdirSync(directory)]).toEqual([0o600, ['window-preferences.v1.json']])
  expect(warned).toEqual([])
})

test.each([
  ['no JSON', '{"theme":'],
  ['another shape', '{"theme":"pink","sound":true,"notifications":null}'],
  ['a list', '[]'],
  ['more than preferences can be', JSON.stringify({ ...UNSET, sound: true, more: 'x'.repeat(5000) })],
])('a file that is %s counts as none, is told in the log, and the next choice mends it', (_, content) => {
  writeFileSync(file, content)
  const preferences = open()
  expect([preferences.now, warned]).toEqual([UNSET, ['the window’s preferences cannot be read; the usual ones count']])
  preferences.change({ sound: true })
  expect(open().now).toEqual({ ...UNSET, sound: true })
})

test('what cannot be read at all counts as none', () => {
  rmSync(file, { force: true })
  file = directory
  expect([open().now, warned.length]).toEqual([UNSET, 1])
})

test('whoever listens hears each change, with who made it', () => {
  const preferences = open()
  const heard: unknown[] = []
  const listening = preferences.watch(by => heard.push([by, preferences.now.theme]))
  preferences.change({ theme: 'dark' }, 'one')
  listening.dispose()
  preferences.change({ theme: 'light' }, 'one')
  expect(heard).toEqual([['one', 'dark']])
})

test('a change that cannot be written counts until the host ends, and says so', () => {
  file = join(directory, 'taken', 'file')
  writeFileSync(join(directory, 'taken'), '')
  const preferences = open()
  expect(() => preferences.change({ sound: true })).toThrow()
  expect(preferences.now.sound).toBe(true)
})

const frame = (changes: unknown, more = {}) => ({ type: 'preferences_set', request_id: 'w1', changes, ...more })

test.each([
  ['a name nobody knows', frame({ theme: 'dark', admin: true })],
  ['a name nobody knows beside the changes', frame({ theme: 'dark' }, { approve: true })],
  ['a theme there is not', frame({ theme: 'url(//evil)' })],
  ['text for a switch', frame({ sound: 'x'.repeat(10_000) })],
  ['no changes', frame(undefined)],
])('a frame with %s is no frame', (_, raw) => {
  expect(WindowFrame.safeParse(raw).success).toBe(false)
})

test('a frame may change one thing or all of them', () => {
  for (const changes of [{ theme: null }, { theme: 'dark', sound: true, notifications: true }])
    expect(WindowFrame.parse(frame(changes))).toEqual(frame(changes))
})
