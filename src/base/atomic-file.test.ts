import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { privateDirectory, writeAtomically } from './atomic-file.ts'

const root = mkdtempSync(join(tmpdir(), 'it-atomic-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('a new file is for its owner only, and so are the directories made for it', () => {
  const file = join(root, 'a/b/file.json')
  writeAtomically(file, 'hello')
  expect([readFileSync(file, 'utf8'), modeOf(file), modeOf(join(root, 'a')), modeOf(join(root, 'a/b'))]).toEqual([
    'hello',
    '600',
    '700',
    '700',
  ])
})

test('a rewrite replaces the whole content and leaves nothing beside it', () => {
  const file = join(root, 'again/file.json')
  writeAtomically(file, 'a long first version')
  writeAtomically(file, 'short')
  expect([readFileSync(file, 'utf8'), readdirSync(join(root, 'again'))]).toEqual(['short', ['file.json']])
})

test('a write that fails keeps the old content and leaves nothing beside it', () => {
  const directory = join(root, 'taken')
  privateDirectory(join(directory, 'file.json/inside'))
  expect(() => writeAtomically(join(directory, 'file.json'), 'new')).toThrow()
  expect(readdirSync(directory)).toEqual(['file.json'])
})

test('a directory that others could look into is closed to them', () => {
  const directory = join(root, 'open')
  mkdirSync(directory)
  chmodSync(directory, 0o755)
  privateDirectory(directory)
  expect(modeOf(directory)).toBe('700')
})
