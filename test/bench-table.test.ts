import { expect, test } from 'vitest'
import { markdownTable, median, quantile, SHOWN_AS } from '../bench/servers/numbers.mjs'
import { PEERS } from '../bench/servers/peers.mjs'

const peer = (name: string) => {
  const found = PEERS.find(each => each.name === name)
  if (!found) throw new Error(`no peer ${name}`)
  return found
}
const answer = (...texts: string[]) => ({ texts, text: texts.join('\n'), isError: false })
const failure = (...texts: string[]) => ({ ...answer(...texts), isError: true })

test('a percentile lies between its neighbours, sorts by number and leaves out what is missing', () => {
  expect(median([10, 9, 100])).toBe(10)
  expect(median([1, 2, 3, 4])).toBe(2.5)
  expect(quantile([0, 10], 0.95)).toBe(9.5)
  expect(median([null, 4, undefined, Number.NaN, 2])).toBe(3)
  expect(median([])).toBe(null)
})

test('a ratio without both figures is no ratio', () => {
  expect(SHOWN_AS.ratio(3, 2)).toBe('1.50')
  expect(SHOWN_AS.share(45, 90)).toBe('50 %')
  for (const show of [SHOWN_AS.ratio, SHOWN_AS.share]) {
    expect(show(null, 2)).toBe('–')
    expect(show(3, null)).toBe('–')
    expect(show(3, 0)).toBe('–')
  }
  expect(SHOWN_AS.plain(0)).toBe('0')
  expect(SHOWN_AS.plain(-0.01)).toBe('0')
  expect(SHOWN_AS.plain(null)).toBe('–')
})

test('what a cell holds cannot break the table', () => {
  expect(
    markdownTable([
      ['', 'a'],
      ['x', 'b | c\nd'],
    ]),
  ).toBe('|     | a        |\n|-----|----------|\n| x   | b \\| c d |')
})

test('every peer has a pinned version and some way to run a line', () => {
  expect(PEERS.length).toBeGreaterThan(2)
  for (const { name, version, run, begin, more, ending } of PEERS) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
    expect(run ?? (begin && more && ending), name).toBeTruthy()
  }
})

test('the answers of peers: output and exit code, and none where they do not say it', () => {
  const read = (name: string, given: ReturnType<typeof answer>) => peer(name).run?.read(given, {})
  expect(read('bash-mcp', answer('{"success":false,"code":7,"stdout":"o","stderr":"e"}'))).toMatchObject({
    exitCode: 7,
    stdout: 'o',
    stderr: 'e',
  })
  expect(read('bash-mcp', answer('{"success":true,"stdout":"o'))?.exitCode).toBe(undefined)
  expect(() => read('bash-mcp', failure('no such tool'))).toThrow('no such tool')
  expect(read('mcp-server-commands', answer('o', 'e'))).toEqual({ exitCode: 0, stdout: 'o', stderr: 'e' })
  expect(read('mcp-server-commands', failure('failed', 'o', 'e'))).toEqual({
    exitCode: undefined,
    stdout: 'o',
    stderr: 'e',
  })
  expect(read('hyper-mcp-shell', failure('exited with code 7'))).toMatchObject({ exitCode: 7 })
  expect(read('hyper-mcp-shell', failure('no reason'))?.exitCode).toBe(undefined)
  expect(read('desktop-commander', answer('Process started with PID 12\nInitial output:\no\n'))).toMatchObject({
    handle: 12,
    stdout: 'o\n',
  })
  expect(peer('desktop-commander').exit?.read(answer('completed with exit code 0'), {})).toBe(0)
  expect(peer('desktop-commander').exit?.read(answer('still running'), {})).toBe(undefined)
})

test('a line that is read by polling has ended only with its last line', () => {
  const ending = peer('terminalcp').ending
  expect(ending?.('o\n')).toBe(null)
  expect(ending?.('o\n\n[Process exited with code 3]\n')).toMatchObject({ exitCode: 3, stdout: 'o\n' })
  expect(ending?.('\n[Process exited with code 0 (signal: 9)]')).toMatchObject({ exitCode: undefined, signal: '9' })
})
