import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BinaryPlaces, findHostBinary } from './find-host-binary.ts'

let root: string
let places: BinaryPlaces

const program = (path: string, mode = 0o755): string => {
  const file = join(root, path)
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o755 })
  writeFileSync(file, '#!/bin/sh\n')
  chmodSync(file, mode)
  return file
}
const auto = { choice: 'local_or_bundled_auto', binaryPath: null } as const

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'it-find-')))
  places = {
    configured: [],
    bundled: { node: '/usr/bin/node', flags: ['--flag'], script: '/opt/it.cjs' },
    path: '',
    workspaces: [join(root, 'work')],
    platform: 'linux',
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('the configured program comes first, then the one that is running, then the one on PATH', () => {
  const mine = program('mine/interactive-terminal')
  const installed = program('bin/interactive-terminal')
  const found = findHostBinary({ ...places, configured: [mine], path: join(root, 'bin') }, auto)
  expect(found).toEqual({
    candidates: [
      { source: 'configured', program: mine, args: [] },
      { source: 'bundled', program: '/usr/bin/node', args: ['--flag', '/opt/it.cjs'] },
      { source: 'path', program: installed, args: [] },
    ],
    rejected: [],
  })
})

test('an agent cannot name a program to start', () => {
  const evil = program('work/evil')
  const asked = { ...auto, binaryPath: evil }
  expect(() => findHostBinary({ ...places, configured: [program('mine/it')] }, asked)).toThrow(
    /is not a program the person has configured/,
  )
})

test('an agent may name the program the person configured, also through a link', () => {
  const mine = program('mine/it')
  symlinkSync(mine, join(root, 'link'))
  const found = findHostBinary({ ...places, configured: [mine] }, { ...auto, binaryPath: join(root, 'link') })
  expect(found.candidates[0]).toEqual({ source: 'configured', program: mine, args: [] })
})

test.each([
  ['runtime.binary_path', { configured: [], binaryPath: 'bin/it' }],
  ['PM_INTERACTIVE_TERMINAL_BINARY', { configured: ['bin/it'], binaryPath: null }],
])('a relative path in %s is an error', (field, { configured, binaryPath }) => {
  expect(() => findHostBinary({ ...places, configured }, { ...auto, binaryPath })).toThrow(
    `${field} must be an absolute path`,
  )
})

test('PATH is not followed into places an agent or another user writes to', () => {
  program('work/bin/interactive-terminal')
  program('lib/node_modules/.bin/interactive-terminal')
  program('open/interactive-terminal')
  chmodSync(join(root, 'open'), 0o777)
  const path = ['work/bin', 'lib/node_modules/.bin', 'open'].map(each => join(root, each)).join(':')
  const found = findHostBinary({ ...places, path }, { choice: 'local', binaryPath: null })
  expect(found.candidates).toEqual([])
  expect(found.rejected.map(({ problem }) => problem)).toEqual([
    'it is in the workspace, which the agent writes to',
    'it is in node_modules/.bin, which a project fills',
    'its directory can be written by other users',
  ])
})

test('what does not exist or cannot be executed is told and passed over', () => {
  const plain = program('mine/plain', 0o644)
  const missing = join(root, 'mine/missing')
  const found = findHostBinary({ ...places, configured: [plain, missing] }, { choice: 'local', binaryPath: null })
  expect(found).toEqual({
    candidates: [],
    rejected: [
      { source: 'configured', path: plain, problem: 'is not executable' },
      { source: 'configured', path: missing, problem: 'does not exist' },
    ],
  })
})
