import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomIds } from '../../base/ids.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import { Terminals } from '../terminals/terminals.ts'
import { placeIn } from './place.ts'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'it-place-')))
  mkdirSync(join(root, 'project/sub'), { recursive: true })
  mkdirSync(join(root, 'project/.venv/bin'), { recursive: true })
  writeFileSync(join(root, 'project/.venv/pyvenv.cfg'), '')
  writeFileSync(join(root, 'project/.venv/bin/python'), '')
  symlinkSync(join(root, 'project'), join(root, 'link'))
})
afterEach(() => rmSync(root, { recursive: true }))

const at = (...words: string[]) => join(root, ...words)
const standing = (cwd: string) => {
  const terminal = new Terminals(randomIds()).create({
    requester: 'local',
    workspaceId: null,
    home: root,
    profile: 'sh',
  })
  terminal.carry({ cwd, env: {} })
  return terminal
}
const request = (frame: Partial<CommandRequest>): CommandRequest => frame as CommandRequest
const problemsOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (cause) {
    return (cause as { details?: unknown }).details
  }
}

test('a command runs where its terminal is, and elsewhere only when the request says so', () => {
  const terminal = standing(at('project'))
  expect(placeIn(terminal, request({})).cwd).toBe(at('project'))
  expect(placeIn(terminal, request({ working_directory: at('project/sub') })).cwd).toBe(at('project/sub'))
})

test('a link is followed before anything is judged', () => {
  const place = placeIn(standing(root), request({ working_directory: at('link'), workspace_path: at('link') }))
  expect(place).toEqual({ cwd: at('project'), venv: null, workspaceDirectory: at('project') })
})

test('where the terminal’s directory is gone nothing runs, and the next request finds it back home', () => {
  const terminal = standing(at('project/sub'))
  rmSync(at('project/sub'), { recursive: true })
  expect(problemsOf(() => placeIn(terminal, request({})))).toMatchObject({ reason: 'directory_gone' })
  expect(placeIn(terminal, request({})).cwd).toBe(root)
})

test('all that is wrong with the directories is said at once', () => {
  const wrong = request({ working_directory: 'project', workspace_path: at('nowhere') })
  expect(problemsOf(() => placeIn(standing(root), wrong))).toMatchObject({
    issues: [
      { field: 'working_directory', problem: 'must be an absolute path' },
      { field: 'workspace_path', problem: expect.stringContaining('not an existing directory') },
    ],
  })
})

test('a virtual environment is found in the workspace, and one that is none is refused', () => {
  const asked = { working_directory: at('project/sub'), workspace_path: at('project') }
  const terminal = standing(root)
  expect(placeIn(terminal, request({ ...asked, activate_venv: true })).venv).toBe(at('project/.venv'))
  expect(placeIn(terminal, request({ ...asked, activate_venv: false, venv_path: '../.venv' })).venv).toBeNull()
  expect(problemsOf(() => placeIn(terminal, request({ ...asked, venv_path: '.' })))).toMatchObject({
    issues: [{ field: 'venv_path' }],
  })
})
