import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diskFacts, realPath } from './disk-facts.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'it-facts-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const at = (path: string) => join(root, path)

beforeAll(() => {
  for (const directory of ['bin', 'work/bin', 'scratch', 'work/sub']) mkdirSync(at(directory), { recursive: true })
  for (const file of ['bin/tool', 'work/bin/tool', 'scratch/tool']) {
    writeFileSync(at(file), '#!/bin/sh\n')
    chmodSync(at(file), 0o755)
  }
  writeFileSync(at('bin/data'), 'no program')
  mkdirSync(at('bin/folder'))
  symlinkSync(at('scratch'), at('linked'))
  symlinkSync('/nowhere/at/all', at('work/dangling'))
  symlinkSync(at('work/loop'), at('work/loop'))
})

const facts = (path: readonly string[], trusted: boolean | null = false) =>
  diskFacts({
    path: path.join(':'),
    workspace: trusted === null ? null : { id: 'w', directory: at('work'), trusted },
    cwd: at('work'),
    tmp: [at('scratch')],
    ours: [],
    platform: 'linux',
    env: {},
  })

test.each([
  ['the first directory that has it', [at('work/sub'), at('bin')], 'tool', { path: at('bin/tool') }],
  [
    'behind a relative directory nothing is sure',
    ['.', at('bin')],
    'tool',
    { problem: 'may be found in whatever directory the line is in' },
  ],
  [
    'a file that cannot be executed is none',
    [at('bin')],
    'data',
    { problem: 'is not found on the PATH', absent: true },
  ],
  ['a directory is none', [at('bin')], 'folder', { problem: 'is not found on the PATH', absent: true }],
  [
    'where anybody can put files',
    [at('scratch'), at('bin')],
    'tool',
    { problem: `is found in ${at('scratch')}, where anybody can put files` },
  ],
  [
    'a link to where anybody can put files',
    [at('linked'), at('bin')],
    'tool',
    { problem: `is found in ${at('linked')}, where anybody can put files` },
  ],
  [
    'inside a workspace that is not trusted',
    [at('work/bin'), at('bin')],
    'tool',
    { problem: expect.stringContaining('not trusted') },
  ],
])('a program by name: %s', (_, path, name, found) => {
  expect(facts(path).program(name)).toEqual(found)
})

test('inside a workspace the person trusts a program is found', () => {
  expect(facts([at('work/bin')], true).program('tool')).toEqual({ path: at('work/bin/tool') })
})

test('where no workspace is bound a program of the current directory is not taken for the system’s', () => {
  expect(facts([at('work/bin'), at('bin')], null).program('tool')).not.toEqual({ path: at('work/bin/tool') })
})

test('the gate and the plan get the same file', () => {
  const same = facts([at('bin')])
  expect(same.program('tool')).toBe(same.program('tool'))
})

test.each([
  ['what exists', at('linked/tool'), at('scratch/tool')],
  ['what does not exist yet, behind a link', at('linked/new/file'), at('scratch/new/file')],
  ['a link that leads nowhere', at('work/dangling'), '/nowhere/at/all'],
  ['the way back up', at('work/sub/../../bin/tool'), at('bin/tool')],
])('the real path of %s', (_, path, real) => {
  expect(realPath(path)).toBe(real)
})

test('a link to itself comes to an end', () => {
  expect(typeof realPath(at('work/loop'))).toBe('string')
})

test('a link behind names that are not there is followed all the same, however many they are', () => {
  const many = 5000
  const there = 'not/'.repeat(many)
  const back = '../'.repeat(many)
  expect(realPath(at(`bin/../${there}`))).toBe(at('not/'.repeat(many)).replace(/\/$/, ''))
  expect(realPath(`${root}/${there}${back}linked/tool`)).toBe(at('scratch/tool'))
  expect(realPath(`${root}/not/there/../linked/../../linked/tool`)).toBe(at('scratch/tool'))
  expect(realPath(`${root}/linked/not/../../work/dangling/../linked`)).toBe('/nowhere/at/linked')
})
