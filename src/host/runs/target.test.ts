import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomIds } from '../../base/ids.ts'
import type { Issue } from '../../contract/tool/issues.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import { Terminals } from '../terminals/terminals.ts'
import { whereTo } from './target.ts'

let home: string
let terminals: Terminals
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'it-target-')))
  mkdirSync(join(home, 'shop'))
  terminals = new Terminals(randomIds())
})
afterEach(() => rmSync(home, { recursive: true }))

const to = (frame: Partial<CommandRequest>, requester = 'local') =>
  whereTo({ intent: 'execute_command', command: 'make', ...frame } as CommandRequest, requester, {
    terminals,
    home,
    gate: { workspaceAt: () => null },
  })
const fieldsOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (cause) {
    return (cause as { details: { issues: readonly Issue[] } }).details.issues.map(({ field }) => field)
  }
}

test('a command gets a terminal in the directory it names, and the next one the same while it is free', () => {
  const first = to({ workspace_path: join(home, 'shop') })
  expect([first.how, first.place.cwd]).toEqual(['run', join(home, 'shop')])
  expect(to({ workspace_path: join(home, 'shop') }).terminal).toBe(first.terminal)
})

test('another requester never gets that terminal', () => {
  const { terminal } = to({})
  expect(to({}, 'box').terminal).not.toBe(terminal)
})

test('a shell of the person is opened by itself: nothing is set in it, and no terminal is named for it', () => {
  expect(to({ intent: 'open_only' })).toMatchObject({ how: 'open', place: { cwd: home } })
  const { terminal } = to({})
  expect(fieldsOf(() => to({ intent: 'open_only', terminal_id: terminal.id, env: { CI: '1' } }))).toEqual([
    'execution.env',
    'target',
  ])
})

test('a directory of a container that is not here is refused with how to mount it', () => {
  expect(fieldsOf(() => to({ working_directory: '/work/not/here' }, 'box'))).toEqual(['runtime.cwd'])
  expect(to({ working_directory: join(home, 'shop') }, 'box').place.cwd).toBe(join(home, 'shop'))
})
