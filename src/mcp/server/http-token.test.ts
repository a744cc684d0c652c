import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TermError } from '../../contract/tool/errors.ts'
import { httpToken, readHttpToken } from './http-token.ts'

let root: string
let file: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'it-token-'))
  file = join(root, 'state', 'http-token')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('a token is made once, and only its owner can read it', () => {
  const token = httpToken(file)
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect({ again: httpToken(file), inFile: readFileSync(file, 'utf8').trim() }).toEqual({ again: token, inFile: token })
  expect({ file: modeOf(file), directory: modeOf(join(root, 'state')) }).toEqual({ file: '600', directory: '700' })
})

test('two homes have two tokens', () => {
  expect(httpToken(file)).not.toBe(httpToken(join(root, 'other', 'http-token')))
})

test.each([0o640, 0o604, 0o660, 0o777])('a token that others can read or change is refused (%o)', mode => {
  httpToken(file)
  chmodSync(file, mode)
  expect(() => httpToken(file)).toThrow(
    new TermError('PM_TERM_INTERNAL', `Others can read ${file}. Remove it, and a new token is made.`, {
      details: { file },
    }),
  )
})

test.each(['', '\n', 'short'])('a file without a token in it (%j) is no token', content => {
  httpToken(file)
  writeFileSync(file, content)
  expect(() => httpToken(file)).toThrow('holds no token')
})

test('a token that no client could send is refused at the start, not with every call', () => {
  httpToken(file)
  writeFileSync(file, `${'not a token! '.repeat(5)}\n`)
  expect(() => httpToken(file)).toThrow('holds no token')
})

test('a token that was to be mounted and is not there is never made up', () => {
  expect(() => readHttpToken(join(root, 'nowhere'))).toThrow('Mount the token there')
})
