import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HostProcesses } from '../drivers/host-process.ts'
import { type Called, type Opened, openStdio } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { ScriptedPerson } from '../drivers/scripted-person.ts'

/** Programs that people really run, from an agent's request to what it reads. npm init, passwords and servers are in test/tasks. */
let at: HostProcesses
let agent: Opened
let person: ScriptedPerson

beforeAll(async () => {
  at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '500' })
  await at.start()
  person = new ScriptedPerson((await at.meet()).approver)
  agent = await openStdio({ place: at.place })
}, 60_000)

afterAll(async () => {
  person.leaves()
  await agent.close()
  await at.close()
}, 60_000)

const INVOCATION = { mode: 'interactive', intent: 'execute_command' }

const runs = (command: string, more: Readonly<Record<string, unknown>> = {}): Promise<Called> =>
  agent.interactive(
    { action: 'execute', invocation: INVOCATION, execution: { command }, ...more },
    { timeoutMs: 50_000 },
  )
const types = ({ data }: Called, input: unknown): Promise<Called> =>
  agent.interactive(
    {
      action: 'execute',
      invocation: INVOCATION,
      target: { session_id: data.identity.session_id },
      execution: { input },
    },
    { timeoutMs: 50_000 },
  )
const reads = ({ data }: Called, output: Readonly<Record<string, unknown>>): Promise<Called> =>
  agent.interactive(
    { action: 'read_output', target: { session_id: data.identity.session_id }, output },
    { timeoutMs: 50_000 },
  )

const directory = (name: string): string => {
  const path = join(at.place.work, name)
  mkdirSync(path)
  return path
}

test('python3 -i: an expression is typed, and its value comes back', needs('python3'), async () => {
  const started = await runs('python3 -i -q')
  expect(started.data.result).toMatchObject({ running: true, wait_state: 'key' })
  const { data } = await types(started, 'print(6 * 7)\n')
  expect(data.result).toMatchObject({ running: true, wait_state: 'key', stdout: expect.stringContaining('42') })
  expect((await types(started, 'exit()\n')).data.result).toMatchObject({ state: 'exited', exit_code: 0 })
})

test('vim: text is written, seen on the screen, and saved', needs('vim.tiny'), async () => {
  const cwd = directory('vim')
  const started = await runs('vim.tiny -u NONE notes', { runtime: { cwd } })
  expect(started.data.result).toMatchObject({ running: true, wait_state: 'key' })
  await types(started, [{ text: 'ihello from an agent' }, { key: 'escape' }])
  const { data } = await reads(started, { format: 'screen' })
  expect(data.result.screen?.text).toMatch(/^hello from an agent\n~/)
  expect((await types(started, ':wq\n')).data.result).toMatchObject({ state: 'exited', exit_code: 0 })
  expect(readFileSync(join(cwd, 'notes'), 'utf8')).toBe('hello from an agent\n')
})

test('less: the page that a person would see, and the next one', needs('less'), async () => {
  const started = await runs('seq 1 500 | LESS= less')
  expect(started.data.result).toMatchObject({ running: true, wait_state: 'key' })
  expect((await reads(started, { format: 'screen' })).data.result.screen?.text).toMatch(/^1\n2\n3\n/)
  await types(started, 'G')
  expect((await reads(started, { format: 'screen' })).data.result.screen?.text).toMatch(/\n499\n500\n/)
  expect((await types(started, 'q')).data.result).toMatchObject({ state: 'exited', exit_code: 0 })
})

test('top: its screen is read while it draws, and q ends it', needs('top'), async () => {
  const started = await runs('top', { output: { wait: { match: 'PID' } } })
  expect(started.data.result).toMatchObject({ running: true })
  const { data } = await reads(started, { format: 'screen' })
  expect(data.result.screen?.text).toMatch(/^top - .*load average[\s\S]*\bPID\b[\s\S]*COMMAND/)
  expect((await types(started, 'q')).data.result).toMatchObject({ state: 'exited', exit_code: 0 })
})

test('git rebase -i: two commits become one in the editor', needs('git', 'vim.tiny'), async () => {
  const cwd = directory('rebase')
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd,
      env: at.place.env(),
      encoding: 'utf8',
    })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@example.org')
  for (const name of ['one', 'two']) {
    writeFileSync(join(cwd, name), name)
    git('add', '.')
    git('commit', '-q', '-m', name)
  }
  const started = await runs('GIT_SEQUENCE_EDITOR="vim.tiny -u NONE" git rebase -i --root', { runtime: { cwd } })
  expect(started.data.result).toMatchObject({ running: true, wait_state: 'key' })
  expect((await reads(started, { format: 'screen' })).data.result.screen?.text).toMatch(/^pick .*one\npick .*two/)
  const { data } = await types(started, [{ text: 'jcwfixup' }, { key: 'escape' }, { text: ':wq' }, { key: 'enter' }])
  expect(data.result).toMatchObject({ state: 'exited', exit_code: 0 })
  expect(git('log', '--format=%s')).toBe('one\n')
})

test('yes: a flood is answered small, and its end is its end', needs('yes'), async () => {
  const started = await runs('yes', { output: { wait: { bytes: 1000 } } })
  expect(started.data.result).toMatchObject({ running: true, waited: 'bytes' })
  const { data, text } = await agent.interactive({
    action: 'terminate',
    target: { session_id: started.data.identity.session_id },
  })
  expect(data.result).toMatchObject({ state: 'killed', ended_by: 'kill' })
  expect(data.result.survivors).toBeUndefined()
  expect(Buffer.byteLength(text)).toBeLessThan(12_000)
})

test('a progress bar that is drawn anew a hundred times is one line', needs('bash'), async () => {
  const bar = 'for i in {1..100}; do printf "\\r[%-20s] %d%%" "$(printf "%*s" $((i/5)) | tr " " "#")" $i; done; echo'
  const { data } = await runs(bar)
  expect(data.result).toMatchObject({ exit_code: 0, stdout: `[${'#'.repeat(20)}] 100%\n` })
})

test('half of a character is kept back until it is whole', needs('bash'), async () => {
  const go = join(directory('half'), 'go')
  const started = await runs(`printf 'caf\\303'; until [ -e ${go} ]; do sleep 0.05; done; printf '\\251\\n'`, {
    output: { wait: { idle_ms: 300 } },
  })
  expect(started.data.result).toMatchObject({ running: true, stdout: 'caf' })
  writeFileSync(go, '')
  const { cursor } = started.data.result
  const { data } = await reads(started, { cursor, wait: { until: 'exit' } })
  expect(data.result).toMatchObject({ state: 'exited', stdout: 'é\n' })
})
