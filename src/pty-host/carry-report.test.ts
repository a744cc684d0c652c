import { expect, test } from 'vitest'
import { readCarryReport } from './carry-report.ts'

const report = (...parts: readonly string[]): Buffer => Buffer.from(parts.join('\0'))

test('where a shell stood is read as it was told, line breaks and equal signs in values included', () => {
  const told = report('n1', '/work/a b\n', 'FOO=a=b\nc', 'EMPTY=', '', 'n1', '')
  expect(readCarryReport(told, 'n1')).toEqual({ cwd: '/work/a b', env: { FOO: 'a=b\nc', EMPTY: '' } })
})

test('an empty environment is one, too', () => {
  expect(readCarryReport(report('n1', '/\n', '', 'n1', ''), 'n1')).toEqual({ cwd: '/', env: {} })
})

test('a directory that is gone is told as no directory', () => {
  expect(readCarryReport(report('n1', '', 'A=1', '', 'n1', ''), 'n1')).toEqual({ cwd: '', env: { A: '1' } })
})

test('what another run left in the pipe is not taken for this one', () => {
  const before = report('n0', '/elsewhere\n', 'EVIL=1', '', 'n0', '')
  const now = report('n1', '/here\n', 'A=1', '', 'n1', '')
  expect(readCarryReport(before, 'n1')).toBeNull()
  expect(readCarryReport(Buffer.concat([before, now]), 'n1')).toEqual({ cwd: '/here', env: { A: '1' } })
})

test.each([
  ['nothing', ''],
  ['half of it', 'n1\0/here\n\0A=1\0'],
  ['an end without a beginning', '\0\0n1\0'],
])('%s is no report', (_, text) => {
  expect(readCarryReport(Buffer.from(text), 'n1')).toBeNull()
})

test('a value that is no text stays behind, and no name is magic', () => {
  const odd = Buffer.concat([report('n1', '/\n', 'BAD='), Buffer.from([0xff, 0]), report('__proto__=x', '', 'n1', '')])
  const read = readCarryReport(odd, 'n1')
  expect(Object.entries(read?.env ?? {})).toEqual([['__proto__', 'x']])
})

test('how the parts of a pipeline ended is told where the shell can', () => {
  const told = report('n1', '/\n', '|1 0', 'A=1', '', 'n1', '')
  expect(readCarryReport(told, 'n1')).toEqual({ cwd: '/', env: { A: '1' }, pipestatus: [1, 0] })
})
