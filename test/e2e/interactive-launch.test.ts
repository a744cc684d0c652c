import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PASSPHRASE } from '../drivers/approver.ts'
import { LivelyPlace } from '../drivers/lively-place.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { asExample } from '../fakes/examples.ts'
import { isOnOperatorPage } from '../fakes/operator-page.ts'

let here: LivelyPlace

/** One that nobody has now, so that it can be dialled while the host is only just starting. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

beforeEach(() => {
  here = new LivelyPlace()
})
afterEach(() => here.end())

test('the first interactive command starts the host, and the person who waits is asked', async () => {
  await here.end()
  here = new LivelyPlace({ firstDay: true })
  // Rules made on the command line are in the journal; no host has run yet all the same.
  here.place.allow('expr *')
  const person = here.early()
  await person.sees('New passphrase')
  person.type(`${PASSPHRASE}\r`)
  await person.sees('The same again')
  person.type(`${PASSPHRASE}\r`)
  await person.sees('No host runs yet')
  const agent = await here.server()
  const call = here.asks(agent, 'npm --version && sleep 0')
  await person.approves('npm --version')
  const { data } = await call
  expect(data.result).toMatchObject({ exit_code: 0, stdout: expect.stringMatching(/\d+\.\d+\.\d+\n$/) })
})

test('a command a rule covers runs without a question, where a person can see it', async () => {
  const agent = await here.server()
  await here.hostRuns(agent)
  await here.person()
  const { data } = await here.asks(agent, 'npm --version')
  expect(data.result).toMatchObject({
    exit_code: 0,
    authorization: 'allowed',
    approved_by: 'allowlist',
    visibility: 'visible',
  })
})

test('a host that was started outlives the server, and nothing of the server’s environment is in it', async () => {
  const agent = await here.server({
    env: { AGENT_TOKEN: 'secret', NODE_OPTIONS: '--no-warnings', PM_TERM_GRAVE: 'block' },
  })
  await here.hostRuns(agent)
  const pid = Number(here.hostPid)
  const environ = readFileSync(`/proc/${pid}/environ`, 'utf8')
  expect(environ).not.toMatch(/AGENT_TOKEN|NODE_OPTIONS|PM_/)
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const session = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
  expect(session).toBe(pid)
  await agent.close()
  expect(here.host?.lives).toBe(true)
})

test('two servers that start a host at once end up with one', async () => {
  const [one, two] = await Promise.all([here.server(), here.server()])
  const person = here.early()
  await person.sees('No host runs yet')
  const calls = [here.asks(one, '/bin/echo one'), here.asks(two, '/bin/echo two')]
  await person.sees('Approver passphrase', 15_000)
  person.type(`${PASSPHRASE}\r`)
  await person.sees('of 2')
  await person.approves(/question 1 of 2/)
  await person.sees('question 1 of 1')
  await person.approves(/question 1 of 1/)
  const answers = await Promise.all(calls)
  expect(answers.map(({ data }) => data.result.stdout)).toEqual(['one\n', 'two\n'])
})

test('an agent cannot name a program to start as the host', async () => {
  const evil = here.place.write('work/evil', `#!/bin/sh\ntouch ${here.place.root}/started\n`, 0o755)
  const agent = await here.server()
  const { data } = await here.asks(agent, 'true', { runtime: { binary_path: evil } })
  expect(data.error?.code).toBe('PM_TERM_INVALID_PAYLOAD')
  expect(here.place.read('started')).toBe('')
})

test('a program that is no host is tried, ended and told of, and the next one is taken', async ({ task }) => {
  const mute = here.place.write('bin/mute', '#!/bin/sh\necho "I am no host" >&2\nexit 1\n', 0o755)
  const agent = await here.server({ env: { PM_INTERACTIVE_TERMINAL_BINARY: mute } })
  const only = await here.asks(agent, 'true', { runtime: { adapter_override: 'local' } })
  expect(only.data.error).toMatchObject({
    code: 'PM_TERM_GUI_UNAVAILABLE',
    details: {
      reason: 'bridge_required_no_fallback',
      attempted_candidates: [{ source: 'configured', path: mute }],
      spawn_errors: [{ path: mute, attempt: 1, last_words: 'I am no host' }],
    },
  })
  const told = JSON.stringify(asExample(only.data, here.place.work))
    .replaceAll(mute, '/opt/it/interactive-terminal')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:9100')
  isOnOperatorPage(task.name, JSON.parse(told))
  await here.hostRuns(agent)
})

test('a host that cannot start because a port is taken says so to the agent', async () => {
  const squatter = createServer(() => {})
  await new Promise<void>(resolve => squatter.listen(0, '127.0.0.1', resolve))
  const { port } = squatter.address() as AddressInfo
  const free = await freePort()
  const agent = await here.server({ env: { PM_TERM_PORT: String(free), PM_TERM_APPROVER_PORT: String(port) } })
  const { data } = await here.asks(agent, 'npm --version && sleep 0')
  squatter.close()
  expect(data.error?.message).toContain(`A port of the host is taken (EADDRINUSE ${port})`)
  expect(data.error?.message).not.toContain('during the handshake')
})

test('nobody there to be asked is not silence and not a no', async () => {
  here.settings({ PM_TERM_APPROVER_WAIT_MS: 300 })
  const agent = await here.server()
  const { data } = await here.asks(agent, `touch ${here.place.root}/ran`)
  expect(data).toMatchObject({
    error: {
      code: 'PM_TERM_GUI_UNAVAILABLE',
      details: { reason: 'bridge_required_no_fallback', hint: 'start_gui_app' },
    },
    fallback: { strategy: 'fallback_to_headless_if_allowed', can_auto_retry: false },
  })
  expect(here.place.read('ran')).toBe('')
})

test('a host that is killed midway leaves a truthful answer, and nothing runs again by itself', async ({ task }) => {
  const agent = await here.server()
  await here.hostRuns(agent)
  const person = await here.person()
  const counter = join(here.place.root, 'count')
  const call = here.asks(agent, `/bin/echo x >> ${counter}; sleep 30`, { correlation: { request_id: 'kill:1' } })
  await person.approves('sleep 30')
  const read = { action: 'read_output', target: { session_id: 'kill:1' } }
  await eventually('it runs', async () => (await agent.interactive(read)).data.result.state === 'running')
  await eventually('it has written', () => here.place.read('count') !== '')
  here.host?.kill('SIGKILL')
  const { data } = await call
  expect(data).toMatchObject({ error: { code: 'PM_TERM_DISCONNECTED' }, identity: { session_id: 'kill:1' } })
  isOnOperatorPage(task.name, data)
  const later = await agent.interactive(read)
  // pty-host has kept it.
  expect(later.data.result).toMatchObject({
    state: 'running',
    authorization: 'allowed_with_warning',
    approved_by: 'person',
  })
  expect(here.place.read('count')).toBe('x\n')
})

test('a host that sleeps through its heartbeats and wakes is found again, and the command runs once', async () => {
  here.settings({ PM_TERM_HEARTBEAT_INTERVAL: 1 })
  const agent = await here.server({ env: { PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS: '1000' } })
  await here.hostRuns(agent)
  const person = await here.person()
  const call = here.asks(agent, `/bin/echo x >> ${here.place.root}/count`)
  await person.reads('/bin/echo x')
  const { host } = here
  host?.kill('SIGSTOP')
  // Longer than three beats: both sides have given the connection up by then.
  await new Promise(resolve => setTimeout(resolve, 4500))
  host?.kill('SIGCONT')
  await person.sees('The host is gone')
  // A key pressed right when the question comes back decides nothing, so it is pressed again.
  await eventually('it ran', async () => {
    person.type('a')
    await new Promise(resolve => setTimeout(resolve, 700))
    return here.place.read('count') !== ''
  })
  const { data } = await call
  expect(data.result).toMatchObject({ state: 'exited', exit_code: 0 })
  expect(here.place.read('count')).toBe('x\n')
}, 40_000)
