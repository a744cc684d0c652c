import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeApprover, type FakeClient, type LiveHost, openLiveHost } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'

/** What one command in a terminal leaves to the next one. */
let at: LiveHost
let client: FakeClient
let approver: FakeApprover

beforeEach(async () => {
  at = await openLiveHost()
  approver = await at.approver()
  client = await at.client()
})

afterEach(() => at.close())

const answered = new Set<string>()

/** Sends it, and approves it if it is asked about. */
async function run(command: string, more: Record<string, unknown> = {}) {
  const id = client.command(command, { workspace_path: at.place.work, ...more })
  const response = client.response(id, 20_000)
  const asked = approver
    .question(each => each.request_id === id)
    .then(question => {
      if (question.kind !== 'command') throw new Error('not a command')
      approver.approve(question)
      answered.add(id)
      return question
    })
  asked.catch(() => {})
  return { ...(await response), question: answered.has(id) ? await asked : null }
}

test('a directory is carried over to the next command of the terminal', async () => {
  mkdirSync(join(at.place.work, 'sub'))
  expect(await run('cd sub')).toMatchObject({ cwd: at.place.work, carried: { cwd: join(at.place.work, 'sub') } })
  const next = await run('pwd')
  expect(next).toMatchObject({ output: `${at.place.work}/sub\r\n`, cwd: join(at.place.work, 'sub') })
  expect(next).not.toHaveProperty('carried')
})

test('also after exit 3, with the exit code kept', async () => {
  expect(await run('cd /usr; exit 3')).toMatchObject({ exit_code: 3, carried: { cwd: '/usr' } })
  expect((await run('pwd')).output).toBe('/usr\r\n')
})

test('a directory named by the request wins for that one command', async () => {
  await run('cd /usr')
  expect((await run('pwd', { working_directory: at.place.work })).output).toBe(`${at.place.work}\r\n`)
  expect((await run('pwd')).output).toBe('/usr\r\n')
})

test('a command that waited for its turn runs where the one before it went', async () => {
  const first = client.command('cd /usr; sleep 0.2', { workspace_path: at.place.work })
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === first)
  const second = client.command('pwd', { workspace_path: at.place.work, terminal_id })
  approver.approve(await approver.question(question => question.request_id === first))
  expect(await client.response(second)).toMatchObject({ output: '/usr\r\n', cwd: '/usr' })
})

test('a variable is carried over, a person sees it, and nothing there runs unasked any more', async () => {
  const set = await run('export FOO="a b"; unset LANG')
  expect(set).toMatchObject({ carried: { env: ['FOO', 'LANG'] } })
  const next = await run('echo "$FOO|$LANG"')
  expect(next.output).toBe('a b|\r\n')
  expect((await run('echo hi')).question).toMatchObject({
    verdict: { why: expect.stringMatching(/^carried_env: .*FOO/) },
    env: [
      { name: 'FOO', value: 'a b', carried: true },
      { name: 'LANG', value: null, carried: true },
    ],
  })
  // Another terminal knows nothing of it.
  const elsewhere = await run('echo hi', { terminal_profile: 'sh' })
  expect(elsewhere).toMatchObject({ approved_by: 'allowlist', output: 'hi\r\n' })
})

test('a variable that only changes how output looks leaves the rules as they are', async () => {
  expect(await run('export NO_COLOR=1')).toMatchObject({ carried: { env: ['NO_COLOR'] } })
  expect(await run('echo hi')).toMatchObject({ approved_by: 'allowlist' })
})

test('what could change the meaning of later commands is never carried over, and it is said', async () => {
  const names = [
    'BASH_ENV',
    'DYLD_INSERT_LIBRARIES',
    'ENV',
    'GIT_DIR',
    'GIT_SSH_COMMAND',
    'LD_LIBRARY_PATH',
    'LD_PRELOAD',
  ].concat(['NODE_OPTIONS', 'PYTHONPATH', 'PYTHONSTARTUP'])
  const set = await run(`export ${names.map(name => `${name}=/x`).join(' ')}; f() { :; }; export -f f; alias ll=ls`)
  expect(set).toMatchObject({ carried: { left_out: ['BASH_FUNC_f%%', ...names].sort() } })
  const next = await run(`echo "[${names.map(name => `$${name}`).join('')}]"; type f ll`)
  expect(next.output).toMatch(/^\[\]\r\n.*f: not found.*ll: not found/s)
})

test.each(['exec true', 'kill -9 $$', 'trap true EXIT'])('%s carries nothing over and says so', async line => {
  expect((await run(`cd /usr; ${line}`)).carried).toEqual({ nothing: expect.stringContaining('replaced or killed') })
  expect((await run('pwd')).output).toBe(`${at.place.work}\r\n`)
})

test('a command that is killed carries nothing over and says so', async () => {
  const id = client.command('cd /usr; sleep 300', { workspace_path: at.place.work })
  approver.approve(await approver.question())
  await client.heard.next('progress', frame => frame.phase === 'running')
  client.ask('kill', { session_id: id })
  expect(await client.heard.next('killed')).toMatchObject({ state: 'killed', carried: { nothing: 'it was killed' } })
  expect((await run('pwd')).output).toBe(`${at.place.work}\r\n`)
})

test('a directory that is gone is said, nothing runs elsewhere, and the terminal is back where it began', async () => {
  const gone = join(at.place.work, 'gone')
  mkdirSync(gone)
  await run('cd gone')
  rmSync(gone, { recursive: true })
  const id = client.command('pwd', { workspace_path: at.place.work })
  expect(await client.heard.next('error', frame => frame.request_id === id)).toMatchObject({
    error: {
      code: 'PM_TERM_INVALID_PAYLOAD',
      message: expect.stringContaining(gone),
      details: { reason: 'directory_gone' },
    },
  })
  expect((await run('pwd')).output).toBe(`${at.place.work}\r\n`)
})

test('two servers in two directories do not share a default terminal', async () => {
  await run('cd /usr')
  expect((await run('pwd', { workspace_path: at.place.root })).output).toBe(`${at.place.root}\r\n`)
})

test('an environment larger than a pipe holds comes through', async () => {
  expect((await run(`export BIG=$(head -c 100000 /dev/zero | tr '\\0' x)`)).carried).toEqual({ env: ['BIG'] })
  expect((await run('printf %s "$BIG" | wc -c')).output).toBe('100000\r\n')
})

test('the line runs as it would without us: no arguments, its own exit code, its own errors', async () => {
  expect((await run('echo "$# [$1$*]"; (exit 7)')).output).toBe('0 []\r\n')
  expect(await run('cd .; no-such-program')).toMatchObject({
    exit_code: 127,
    output: expect.stringMatching(/^bash: line 1: no-such-program: command not found/),
  })
})

test('values are in no file and no journal', async () => {
  await run('export TOKEN=se""cret-value-42')
  await run('echo hi')
  const found = () => {
    try {
      return execFileSync('grep', ['-rl', 'secret-value-42', at.state], { encoding: 'utf8' })
    } catch {
      return '' // grep found nothing
    }
  }
  expect(found()).toBe('')
  expect(readdirSync(join(at.state, 'pipes')).length).toBeGreaterThan(0)
})

test('each command has a fresh shell: nothing of the one before is left but directory and variables', async () => {
  const shells = [await run('echo $$; set -f; shopt -s nullglob; x=1; trap "echo trapped" USR1'), await run('echo $$')]
  const [first, second] = shells.map(({ output }) => output.trim())
  expect([/^\d+$/.test(first ?? ''), first === second]).toEqual([true, false])
  expect((await run('echo "$-|$x|$(trap -p USR1)"; shopt -q nullglob || echo no nullglob')).output).toMatch(
    /^[^f|]*\|\|\r\nno nullglob\r\n$/,
  )
})

test('a PATH that a command has left puts no program before the usual ones unasked', async () => {
  at.place.write('mine/ls', '#!/bin/sh\necho another\n', 0o755)
  expect(await run('ls', { workspace_id: 'test' })).toMatchObject({ approved_by: 'allowlist' })
  await run(`export PATH=${join(at.place.root, 'mine')}:$PATH`)
  const why = async (line: string) => (await run(line, { workspace_id: 'test' })).question?.verdict.why
  expect(await why('ls')).toContain('ls is another program here')
  expect(await why('pwd')).toMatch(/^carried_env: .*PATH/)
})

test('a program that a virtual environment puts before the usual one is asked about, whatever the rules', async () => {
  at.place.write('venv/bin/ls', '#!/bin/sh\necho another\n', 0o755)
  expect(await run('ls', { workspace_id: 'test' })).toMatchObject({ approved_by: 'allowlist' })
  const venv = await run('ls', { workspace_id: 'test', venv_path: join(at.place.root, 'venv') })
  expect(venv).toMatchObject({ approved_by: 'person', output: 'another\r\n' })
  expect(venv.question?.verdict.why).toContain('ls is another program here')
})

describe.each(['sh', 'zsh', 'fish'] as const)('in %s', profile => {
  test('directory and variables are carried over, too', needs(profile), async () => {
    const set = await run('cd /usr; export FOO=1; exit 4', { terminal_profile: profile })
    expect(set).toMatchObject({ exit_code: 4, carried: { cwd: '/usr', env: ['FOO'] } })
    expect((await run('pwd; /bin/echo $FOO', { terminal_profile: profile })).output).toBe('/usr\r\n1\r\n')
  })
})
