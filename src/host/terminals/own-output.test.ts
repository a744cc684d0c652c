import { expect, test } from 'vitest'
import { OwnOutput } from './own-output.ts'

const FISH_BEFORE = '\x1b[?2004l\x1b]0;greet ~\x07\x1b[30m\x1b(B\x1b[m\r'
const ZSH_AFTER = '\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m         \r \r'

/** The same bytes, cut at every place in turn, and byte by byte. */
function eachCut(text: string): string[] {
  const bytes = Buffer.from(text, 'latin1')
  const own = (chunks: Buffer[]) => {
    const output = new OwnOutput()
    return Buffer.concat([...chunks.map(chunk => output.of(chunk)), output.rest()]).toString('latin1')
  }
  const cuts = Array.from(bytes, (_, at) => own([bytes.subarray(0, at), bytes.subarray(at)]))
  return [...new Set([...cuts, own(Array.from(bytes, byte => Buffer.from([byte])))])]
}

test('what fish says before a command is not its output, wherever the chunks are cut', () => {
  expect(eachCut(`${FISH_BEFORE}hello from the alias\r\n`)).toEqual(['hello from the alias\r\n'])
  expect(eachCut(`${FISH_BEFORE}`)).toEqual([''])
})

test('what zsh draws behind a line without an end is not its output, wherever the chunks are cut', () => {
  expect(eachCut(`no end${ZSH_AFTER}`)).toEqual(['no end'])
})

test('an empty first line, colours and a lone carriage return of the command itself stay', () => {
  expect(eachCut('\r\nsecond\r\n')).toEqual(['\r\nsecond\r\n'])
  expect(eachCut(`${FISH_BEFORE}\r\nsecond\r\n`)).toEqual(['\r\nsecond\r\n'])
  expect(eachCut('\x1b[30mblack\x1b[m\r\n')).toEqual(['\x1b[30mblack\x1b[m\r\n'])
  expect(eachCut('50%\r100%')).toEqual(['50%\r100%'])
})
