import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calmEnv } from '../../src/runs/plan/calm-env.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'
import { Place } from '../drivers/place.ts'

/** What a command finds around it: variables, directory, programs, and the rules that hold there. */
const place = new Place()
let server: Opened
beforeAll(async () => {
  place.allow('/usr/bin/env', 'touch *', 'fake-tool')
  place.write('bash-env', `touch ${join(place.work, 'smuggled')}\n`)
  const tool = place.write('bin/fake-tool', '#!/bin/sh\necho fake\n', 0o755)
  chmodSync(tool, 0o755)
  const plain = place.env()
  server = await openStdio({
    place,
    env: {
      PATH: `${join(place.root, 'bin')}:${plain.PATH}`,
      BASH_ENV: join(place.root, 'bash-env'),
      ENV: join(place.root, 'bash-env'),
      NODE_OPTIONS: '--no-warnings',
      GIT_DIR: '/nowhere',
      GIT_EXTERNAL_DIFF: '/nowhere',
      PM_TERM_LOG_LEVEL: 'error',
      PYTHONPATH: '/nowhere',
      EDITOR: '/nowhere',
      npm_config_prefix: '/nowhere',
      CI: 'yes',
    },
  })
})
afterAll(async () => {
  await server.close()
  place.remove()
})

const run = async (command: string, more: Readonly<Record<string, unknown>> = {}) =>
  (await server.headless({ action: 'run', command, ...more })).data

test('a command gets what it needs, neutral git, its marks, and nothing of ours or that changes its meaning', async () => {
  const { result, identity } = await run('/usr/bin/env')
  const env = Object.fromEntries(
    (result.stdout ?? '')
      .trim()
      .split('\n')
      .map(line => line.split(/=(.*)/s, 2)),
  )
  const expected = ['CI', 'HOME', 'INTERACTIVE_TERMINAL_RUN', 'INTERACTIVE_TERMINAL_SERVER', 'LANG', 'PAGER', 'PATH']
  // What the client's own transport hands to every server.
  const clients = ['SHELL', 'TERM', 'USER', 'LOGNAME']
  // Without pagers and questions: what is set for that is what docs/spec.md §3.6 says.
  const calm = calmEnv('headless')
  expect(env).toMatchObject(calm)
  expect(
    Object.keys(env)
      .filter(name => !name.startsWith('GIT_') && !clients.includes(name) && !(name in calm))
      .sort(),
  ).toEqual(expected)
  expect(env).toMatchObject({ INTERACTIVE_TERMINAL_RUN: identity.session_id, GIT_PAGER: 'cat', CI: 'yes' })
  expect([env.GIT_DIR, env.GIT_EXTERNAL_DIFF]).toEqual([undefined, undefined])
})

test('a shell that is started runs no start-up file of the server’s environment', async () => {
  const { command, args } = place.shell('echo ran')
  expect((await run(command, { args })).result.stdout).toBe('ran\n')
  expect(place.read('work/smuggled')).toBe('')
})

test.each([{ LD_PRELOAD: '/x.so' }, { PATH: '/x' }, { GIT_DIR: '/x' }, { INTERACTIVE_TERMINAL_RUN: 'forged' }])(
  'a request cannot set %j',
  async env => {
    expect((await run('pwd', { env })).error?.code).toBe('PM_TERM_APPROVAL_REQUIRED')
  },
)

test('a program found where anybody can put files does not run unasked', async () => {
  expect((await run('fake-tool')).error?.message).toContain('where anybody can put files')
})

test('a directory reached by a link is its real directory', async () => {
  symlinkSync(place.work, join(place.root, 'link'))
  const { result } = await run('pwd', { cwd: join(place.root, 'link') })
  expect([result.cwd, result.stdout]).toEqual([place.work, `${place.work}\n`])
})

test('rules of the workspace do not apply in a directory that only looks as if it were inside', async () => {
  mkdirSync(join(place.root, 'outside'))
  symlinkSync(join(place.root, 'outside'), join(place.work, 'inside'))
  const { error } = await run('touch x', { cwd: join(place.work, 'inside') })
  const named = await run('touch x', { cwd: join(place.root, 'outside'), workspace_id: 'test' })
  expect([error?.code, named.error?.code]).toEqual(['PM_TERM_APPROVAL_REQUIRED', 'PM_TERM_APPROVAL_REQUIRED'])
})

test('files outside, links to them, secrets and our own state are not shown unasked', async () => {
  place.write('private/secret.txt', 'SECRET')
  place.write('work/.env', 'SECRET')
  place.write('work/deploy.key', 'SECRET')
  symlinkSync(join(place.root, 'private/secret.txt'), join(place.work, 'innocent.txt'))
  symlinkSync('.env', join(place.work, 'settings.txt'))
  symlinkSync(place.home, join(place.work, 'state'))
  const paths = [
    '../private/secret.txt',
    join(place.root, 'private/secret.txt'),
    'innocent.txt',
    '.env',
    'settings.txt',
    'deploy.key',
    'state/data/test/workspace.v1.json',
    '/proc/self/environ',
  ]
  const codes = await Promise.all(paths.map(async path => (await run('cat', { args: [path] })).error?.code))
  expect(codes).toEqual(paths.map(() => 'PM_TERM_APPROVAL_REQUIRED'))
  place.write('work/open.txt', 'hello')
  expect((await run('cat open.txt')).result.stdout).toBe('hello')
})
