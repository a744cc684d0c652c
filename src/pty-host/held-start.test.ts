import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { directoryIdentity, fileIdentity } from '../base/file-identity.ts'
import { startHeld } from './held-start.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'it-held-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const cwd = join(root, 'here')
const executable = '/bin/sh'
beforeEach(() => {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(cwd, { recursive: true })
})

const pinnedNow = (program = executable) => ({
  cwd: directoryIdentity(cwd) ?? '',
  executable: fileIdentity(program) ?? '',
})
const PTY = { name: 'xterm', cols: 80, rows: 24, env: { PATH: '/usr/bin:/bin' } }

test('it is started in the directory that was judged, and told its path', async () => {
  const pty = startHeld({ executable, args: ['-c', 'pwd; printenv PWD'], cwd, pinned: pinnedNow() }, PTY)
  let said = ''
  pty.onData(text => {
    said += text
  })
  await new Promise(resolve => pty.onExit(resolve))
  expect(said).toBe(`${cwd}\r\n${cwd}\r\n`)
})

test('in a directory that was put in its place nothing is started', () => {
  const pinned = pinnedNow()
  renameSync(cwd, join(root, 'before'))
  mkdirSync(cwd)
  const start = () => startHeld({ executable, args: ['-c', 'touch ran'], cwd, pinned }, PTY)
  expect(start).toThrow('The directory was replaced')
})

test('a program that was put in the place of the judged one is not started', () => {
  const program = join(root, 'tool')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const pinned = pinnedNow(program)
  rmSync(program)
  writeFileSync(program, '#!/bin/sh\ntouch ran\n', { mode: 0o755 })
  expect(() => startHeld({ executable: program, args: [], cwd, pinned }, PTY)).toThrow('is another file now')
})
