import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OutputLog } from './output-log.ts'
import { outputMoments } from './output-times.ts'

const root = mkdtempSync(join(tmpdir(), 'it-times-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function log(name: string) {
  const clock = { at: 1_000_000 }
  const directory = join(root, name)
  const output = new OutputLog({ directory, quotaBytes: 1 << 20, onGrown: () => {}, now: () => clock.at })
  const print = (text: string, afterMs: number) => {
    clock.at += afterMs
    output.append('stdout', Buffer.from(text))
  }
  const end = (afterMs: number) => {
    clock.at += afterMs
    output.close()
    return outputMoments(directory)
  }
  return { print, end, directory }
}

test('what is printed at another moment is noted with its time, what comes at once is one moment', () => {
  const { print, end } = log('several')
  print('one', 10)
  print('still one', 20)
  print('two', 500)
  print('three', 60)
  expect(end(5)).toEqual([
    { offset: 0, at: 1_000_010 },
    { offset: 12, at: 1_000_530 },
    { offset: 15, at: 1_000_590 },
  ])
})

test('a command that is over at once costs no file; one that printed once and went on says when', () => {
  const short = log('short')
  short.print('all', 3)
  expect(short.end(10)).toEqual([])
  const long = log('long')
  long.print('early', 3)
  expect(long.end(5000)).toEqual([{ offset: 0, at: 1_000_003 }])
  expect(log('silent').end(5000)).toEqual([])
})

test('times that were cut short or make no sense are not believed', () => {
  const { print, end, directory } = log('torn')
  print('one', 1)
  print('two', 100)
  end(1)
  appendFileSync(join(directory, 'times'), Buffer.alloc(16 + 7))
  expect(outputMoments(directory)).toHaveLength(2)
})
