import { describe, expect, test } from 'vitest'
import { Args, COMMAND_LIMIT_BYTES, Command, Env, Id, Millis, Path, utf8Length, WorkspaceId } from './field.ts'
import { parseHeadless } from './tool/headless-request.ts'
import { type Issue, issuesOf } from './tool/issues.ts'

const problems = (schema: { safeParse(value: unknown): { error?: unknown } }, value: unknown): readonly string[] => {
  const { error } = schema.safeParse(value)
  return error ? issuesOf(error as never).map(({ problem }) => problem) : []
}

describe('a command', () => {
  test.each<[string, unknown, string[]]>([
    ['ends where an argument ends', 'a\0b', ['must not contain a NUL byte']],
    ['with half a character', 'a\ud800b', ['must not contain half of a surrogate pair']],
    ['with the other half', 'a\udc00', ['must not contain half of a surrogate pair']],
    ['that is empty', '', ['must not be empty']],
    ['that is blank', ' \t\n', ['must not be empty']],
    ['that is no text', { command: 'pwd' }, ['must be a string']],
    ['with a whole emoji is fine', 'echo 😀', []],
    ['at the limit is fine', 'x'.repeat(COMMAND_LIMIT_BYTES), []],
    ['one byte over the limit', 'x'.repeat(COMMAND_LIMIT_BYTES + 1), ['must be at most 65536 bytes']],
    ['over the limit in bytes, not in characters', 'é'.repeat(40_000), ['must be at most 65536 bytes']],
    ['at the limit in two-byte characters is fine', 'é'.repeat(32_768), []],
    ['of 10 MB', 'x'.repeat(10_000_000), ['must be at most 65536 bytes']],
  ])('%s', (_, command, expected) => {
    expect(problems(Command, command)).toEqual(expected)
  })
})

describe('arguments', () => {
  test.each<[string, unknown, string[]]>([
    ['may be none', [], []],
    ['may be empty texts', ['', ''], []],
    ['are a list', 'x', ['must be an array of strings']],
    ['are texts', ['a', 7], ['must be a string']],
    ['have no NUL', ['a', '\0'], ['must not contain a NUL byte']],
    ['have no half characters', ['\udfff'], ['must not contain half of a surrogate pair']],
    ['are at most 4096', Array(4097).fill('x'), ['must be at most 4096 strings']],
    ['100,000 of them are too many', Array(100_000).fill('x'), ['must be at most 4096 strings']],
    ['are at most 64 KiB together', Array(3).fill('x'.repeat(30_000)), ['must be at most 65536 bytes together']],
  ])('%s', (_, args, expected) => {
    expect(problems(Args, args)).toEqual(expected)
  })

  test('and the command share one limit', () => {
    const atLimit = { action: 'run', command: 'x'.repeat(30_000), args: ['y'.repeat(COMMAND_LIMIT_BYTES - 30_000)] }
    expect(parseHeadless(atLimit)).toEqual(atLimit)
    try {
      parseHeadless({ ...atLimit, command: `${atLimit.command}x` })
      expect.unreachable()
    } catch (cause) {
      expect((cause as { details: { issues: Issue[] } }).details.issues).toEqual([
        { field: 'args', problem: 'must be at most 65536 bytes together with command' },
      ])
    }
  })
})

describe('variables', () => {
  test.each<[string, unknown, string[]]>([
    ['have plain names', { CI: '1', _x9: '' }, []],
    ['have no = in their names', { 'A=B': '1' }, ['must be a plain variable name: letters, digits and _']],
    ['have names', { '': '1' }, ['must be a plain variable name: letters, digits and _']],
    ['have no functions in them', { 'BASH_FUNC_x%%': '1' }, ['must be a plain variable name: letters, digits and _']],
    ['do not start with a digit', { '1A': '1' }, ['must be a plain variable name: letters, digits and _']],
    ['are texts', { A: 1 }, ['must be a string']],
    ['have no NUL', { A: '\0' }, ['must not contain a NUL byte']],
    ['are an object', ['A=1'], ['must be an object of strings']],
    [
      'are at most 256',
      Object.fromEntries(Array.from({ length: 257 }, (_, i) => [`A${i}`, ''])),
      ['must have at most 256 names'],
    ],
  ])('%s', (_, env, expected) => {
    expect(problems(Env, env)).toEqual(expected)
  })
})

test.each(['req_1', 'a', 'A.b:c-d_e', '..', 'x'.repeat(128)])('%s is an id', id => {
  expect(problems(Id, id)).toEqual([])
})

test.each(['', 'a b', 'a/b', 'ä', 'x'.repeat(129), 'a\n', '\0', 7, null])('%j is no id', id => {
  expect(problems(Id, id)).toHaveLength(1)
})

test.each(['', '.', '..', 'a/b', 'a:b', 'x'.repeat(129), '../x'])('%j names no workspace', id => {
  expect(problems(WorkspaceId, id)).toEqual(['must be 1 to 128 letters, digits or any of . _ - and not a dot path'])
})

test.each([-1, 1.5, '5', Number.NaN, 86_400_001, null])('%j is no time to wait', ms => {
  expect(problems(Millis, ms)).toHaveLength(1)
})

test.each(['', 'a\0', 'x'.repeat(4097)])('a path is not empty, not endless and has no NUL', path => {
  expect(problems(Path, path)).toHaveLength(1)
})

test.each(['', 'abc', 'é', '€', '😀', 'a€😀é'])('the bytes of %j are counted as they are sent', text => {
  expect(utf8Length(text)).toBe(Buffer.byteLength(text))
})
