import { expect, test } from 'vitest'
import { LineFeeds, withoutQueries } from './replay.ts'

const shown = (text: string): string => withoutQueries(Buffer.from(text)).toString()

test.each([
  ['where the cursor is', '\x1b[6n'],
  ['whether it is there', '\x1b[5n'],
  ['what it is', '\x1b[c'],
  ['what it is, exactly', '\x1b[>0c'],
  ['its background', '\x1b]11;?\x07'],
  ['a colour', '\x1b]4;1;?\x1b\\'],
  ['a mode', '\x1b[?2026$p'],
  ['a setting', '\x1bP$qm\x1b\\'],
  ['its version', '\x1b[>q'],
  ['its size in pixels', '\x1b[14t'],
  ['its keyboard', '\x1b[?u'],
])('a question that a program once asked the terminal (%s) is not asked again', (_, query) => {
  expect(shown(`before ${query}after`)).toBe('before after')
})

test('everything else is shown as it was', () => {
  const text = '\x1b[31mred\x1b[0m \x1b[2J\x1b[1;1H\x1b]0;title\x07\x1b[?25l é → \x1b[4 q'
  expect(shown(text)).toBe(text)
})

test('a line feed alone only moves down, also when it comes in pieces', () => {
  const feeds = new LineFeeds()
  const through = (text: string) => feeds.kept(Buffer.from(text)).toString()
  expect([through('a\r\nb\nc\r'), through('\nd'), through('\n')]).toEqual(['a\r\nb\x1bDc\r', '\nd', '\x1bD'])
})
