import { expect, test } from 'vitest'
import { type ShellMark, ShellMarks } from './shell-marks.ts'

const all = (chunks: readonly string[], nonce = 'n'): ShellMark[] => {
  const marks = new ShellMarks(nonce)
  let at = 0
  return chunks.flatMap(chunk => {
    const bytes = Buffer.from(chunk)
    const found = marks.read(at, bytes)
    at += bytes.length
    return found
  })
}

const session = '\x1b]133;A;aid=n\x07$ \x1b]133;B;aid=n\x07ls\r\n\x1b]133;C;aid=n\x07é\r\n\x1b]133;D;3;aid=n\x1b\\'

test('prompt, typing, command and its end are seen, each with its place in bytes', () => {
  expect(all([session])).toEqual([
    { kind: 'prompt', bang: false, from: 0, to: 14 },
    { kind: 'ready', from: 16, to: 30 },
    { kind: 'begins', from: 34, to: 48 },
    { kind: 'finished', exitCode: 3, from: 52, to: 69 },
  ])
})

test('wherever the bytes are cut, the same is seen', () => {
  const whole = all([session])
  const bytes = Buffer.from(session)
  for (let cut = 1; cut < bytes.length; cut++) {
    const marks = new ShellMarks('n')
    const found = [...marks.read(0, bytes.subarray(0, cut)), ...marks.read(cut, bytes.subarray(cut))]
    expect({ cut, found }).toEqual({ cut, found: whole })
  }
})

test.each([
  ['without a nonce', '\x1b]133;D;0\x07'],
  ['with another nonce', '\x1b]133;D;0;aid=m\x07'],
  ['with the nonce in another place', '\x1b]133;D;0;id=n\x07'],
  ['that never ends', '\x1b]133;D;0;aid=n'],
])('a mark %s is text that somebody printed', (_, text) => {
  expect(all([text, ' and more'])).toEqual([])
})

test('an exit code that is none is not made up', () => {
  expect(all(['\x1b]133;D;x;aid=n\x07', '\x1b]133;D;aid=n\x07'])).toMatchObject([
    { exitCode: null },
    { exitCode: null },
  ])
})

test('history expansion and pasting are noticed', () => {
  expect(all(['\x1b]133;A;aid=n;bang=1\x07', '\x1b[?20', '04h', '\x1b[?2004l'])).toMatchObject([
    { kind: 'prompt', bang: true },
    { kind: 'paste', on: true },
    { kind: 'paste', on: false },
  ])
})
