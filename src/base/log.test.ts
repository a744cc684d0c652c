import { expect, test } from 'vitest'
import { jsonLog } from './log.ts'

const logAt = (level: 'debug' | 'warn' | 'silent') => {
  const lines: string[] = []
  return { lines, log: jsonLog({ level, write: line => lines.push(line), now: () => 0 }) }
}

test('each event is one line of JSON with time and level', () => {
  const { lines, log } = logAt('debug')
  log.info('started', { text: 'two\nlines' })
  expect(lines).toEqual(['{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"started","text":"two\\nlines"}\n'])
})

test('an error in a field is logged with its message and its cause', () => {
  const { lines, log } = logAt('debug')
  log.error('failed', { cause: new Error('outer', { cause: new Error('inner') }) })
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ cause: { message: 'outer', cause: { message: 'inner' } } })
})

test('what is below the level is not logged, and silent logs nothing', () => {
  const warn = logAt('warn')
  warn.log.info('quiet')
  warn.log.warn('loud')
  const silent = logAt('silent')
  silent.log.error('nothing')
  expect([warn.lines.length, silent.lines.length]).toEqual([1, 0])
})
