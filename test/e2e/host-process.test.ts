import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { openDatabase } from '../../src/runs/journal/open-database.ts'
import { type FakeApprover, type FakeClient, LiveHost, setPassphrase } from '../drivers/live-host.ts'
import { endOf, eventually, isAlive } from '../drivers/mcp-client.ts'
import { Place, PRODUCT, REAL_PRODUCT } from '../drivers/place.ts'

interface Told {
  pid: number
  port: number
  approver_port: number
}

let place: Place
const children: ChildProcess[] = []
beforeEach(() => {
  place = new Place()
  setPassphrase(place)
})
afterEach(async () => {
  for (const child of children.splice(0)) await endOf(child)
  place.remove()
})

const told = (): Told | null => {
  const text = place.read('home/state/host.json')
  return text === '' ? null : (JSON.parse(text) as Told)
}

/** A host in a process of its own, as a person or an MCP server starts it. */
async function start(args: readonly string[] = [], env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PRODUCT, 'host', ...args], {
    cwd: place.root,
    env: place.env(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  await eventually('the host is ready', () => told()?.pid === child.pid)
  return child
}

/** Starts one that is expected to end by itself. */
function run(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  return new Promise(resolve => {
    const options = { cwd: place.root, env: place.env(env), timeout: 40_000 }
    execFile(process.execPath, [PRODUCT, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, said: stdout + stderr }),
    )
  })
}

async function meet(): Promise<{ live: LiveHost; client: FakeClient; approver: FakeApprover }> {
  const at = told()
  if (!at) throw new Error('no host')
  const live = new LiveHost(place, { port: at.port, approverPort: at.approver_port } as Host)
  return { live, client: await live.client(), approver: await live.approver() }
}

const approved = async (client: FakeClient, approver: FakeApprover, command: string): Promise<string> => {
  const id = client.command(command, { working_directory: place.work })
  approver.approve(await approver.question(question => question.request_id === id))
  return id
}

test('a host of its own runs a command a person approved, and its journal can be listed and verified', async () => {
  await start()
  const { client, approver } = await meet()
  const id = await approved(client, approver, 'expr "from a real host"')
  expect(await client.response(id)).toMatchObject({ output: 'from a real host\r\n', exit_code: 0 })
  expect((await run(['verify'])).said).toContain('The journal is sound')
  expect((await run(['runs'])).said).toMatch(new RegExp(`${id} .*exit 0 .*expr "from a real host"`))
  const one = await run(['runs', id])
  for (const kind of ['received', 'judged', 'asked', 'answered', 'starting', 'started', 'ended'])
    expect(one.said).toContain(kind)
})

test('A19: a changed journal is told', async () => {
  await start()
  const { client, approver } = await meet()
  await client.response(await approved(client, approver, 'expr 1 && true'))
  const database = await openDatabase(join(place.home, 'state', 'journal.db'), { readonly: false })
  database.exec(`DROP TRIGGER journal_keeps; UPDATE journal SET body = '{}' WHERE kind = 'answered'`)
  database.close()
  expect(await run(['verify'])).toMatchObject({ code: 1, said: expect.stringContaining('NOT sound') })
})

test('A19: a journal whose last rows are gone is told, by verify and by the next host', async () => {
  const host = await start()
  const { client, approver } = await meet()
  await client.response(await approved(client, approver, 'expr 1 && true'))
  await endOf(host)
  const [, row = ''] = (await run(['verify'])).said.split('\n')
  expect((await run(['verify', row])).code).toBe(0)
  const file = join(place.home, 'state', 'journal.db')
  const database = await openDatabase(file, { readonly: false })
  database.exec(`DROP TRIGGER journal_stays; DELETE FROM journal WHERE seq > 3`)
  database.close()
  expect(await run(['verify'])).toMatchObject({ code: 1, said: expect.stringContaining('missing at the end') })
  await start()
  expect(await run(['verify'])).toMatchObject({ code: 1, said: expect.stringContaining('a host found') })
  expect(await run(['verify', row])).toMatchObject({ code: 1 })
  expect((await run(['verify', 'nonsense'])).code).toBe(2)
  rmSync(file)
  expect(await run(['verify'])).toMatchObject({ code: 1, said: expect.stringContaining('GONE') })
})

test('a second start says where the first one is, and leaves it alone', async () => {
  const first = await start()
  const second = await run(['host'])
  expect(second).toMatchObject({ code: 2, said: expect.stringContaining(`already runs: pid ${first.pid}`) })
  const launched = await run(['host', '--launched', '--home', place.home])
  expect(launched).toMatchObject({ code: 75, said: expect.stringContaining(`already runs: pid ${first.pid}`) })
  expect(isAlive(first.pid ?? 0)).toBe(true)
  await meet()
})

test('of ten hosts started at once one stays', async () => {
  const starting = Array.from({ length: 10 }, () => {
    const child = spawn(process.execPath, [PRODUCT, 'host'], { env: place.env(), stdio: 'ignore' })
    children.push(child)
    return child
  })
  await eventually('nine have ended', () => starting.filter(child => child.exitCode !== null).length === 9, 45_000)
  await eventually('one is ready', () => told() !== null)
  expect(starting.filter(child => child.exitCode === null).map(child => child.pid)).toEqual([told()?.pid])
})

test.each([
  ['a variable says so', { PM_RUNNING_IN_CONTAINER: 'yes' }],
  ['the launcher says so', { PM_RUNNING_IN_CONTAINER: '1' }],
])('a host refuses to start in a container when %s', async (_, env) => {
  const refused = await run(['host', '--launched', '--home', place.home], env)
  expect(refused).toMatchObject({
    code: 2,
    said: expect.stringContaining(
      'Nobody can be asked from here: this is a container (PM_RUNNING_IN_CONTAINER is set)',
    ),
  })
  expect(told()).toBe(null)
})

test('no file in the state directory lets the product itself start in a container', async () => {
  place.write('home/state/host-in-container.for-tests-only', '')
  const args = [REAL_PRODUCT, 'host', '--home', place.home, '--port', '0', '--approver-port', '0']
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...place.env(), KUBERNETES_SERVICE_HOST: '10.0.0.1' },
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([2, expect.stringContaining('KUBERNETES_SERVICE_HOST is set')])
  expect(told()).toBe(null)
})

test('a squatter on the port is named, and no host starts beside it', async () => {
  const squatter = createServer(() => {})
  await new Promise<void>(resolve => squatter.listen(0, '127.0.0.1', resolve))
  const { port } = squatter.address() as { port: number }
  const refused = await run(['host', '--port', String(port)])
  squatter.close()
  expect(refused).toMatchObject({ code: 2, said: expect.stringContaining(`EADDRINUSE ${port}`) })
  expect(told()).toBe(null)
})

test('a launched host listens to no variable: what an agent’s configuration sets changes nothing', async () => {
  const evil = place.write(
    'evil/test/terminal-allowlist.json',
    JSON.stringify({ patterns: ['touch *'], updated_at: '' }),
  )
  place.write(
    'evil/test/workspace.v1.json',
    JSON.stringify({
      workspace_id: 'test',
      directory: place.work,
      trusted: true,
      accepted: { base: ['touch *'], headless: [] },
      updated_at: '',
    }),
  )
  await start(['--launched', '--home', place.home, '--port', '0', '--approver-port', '0', '--pty-host-port', '0'], {
    PM_TERM_DATA_DIR: join(evil, '../..'),
    PM_TERM_APPROVAL_TIMEOUT_MS: '1',
    PM_TERM_APPROVER_WAIT_MS: '0',
  })
  const { client, approver } = await meet()
  const id = client.command('touch ran', { working_directory: place.work, workspace_id: 'test' })
  approver.decline(await approver.question())
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
  expect(existsSync(join(place.work, 'ran'))).toBe(false)
})

test('an orderly end takes everything along that it started', async () => {
  const host = await start()
  const { client, approver } = await meet()
  const id = await approved(client, approver, 'setsid sleep 300 & /bin/echo $! > child; sleep 300')
  await eventually('it runs', () => place.read('work/child') !== '')
  await endOf(host)
  const child = Number(place.read('work/child'))
  await eventually('its child is gone', () => !isAlive(child))
  expect(told()).toBe(null)
  await start()
  const { client: later } = await meet()
  later.ask('read_output', { session_id: id })
  expect(await later.heard.next('output')).toMatchObject({ state: 'killed', ended_by: 'server_end' })
})

test('after kill -9 of a host that owned its terminals itself the next one says what was lost, and nothing is run again', async () => {
  const inProcess = { PM_TERM_PTY_HOST: 'in_process' }
  const host = await start([], inProcess)
  const { client, approver } = await meet()
  const id = await approved(client, approver, '/bin/echo once >> log; sleep 300')
  await eventually('it runs', () => place.read('work/log') !== '')
  const pending = client.command('touch ran', { working_directory: place.work })
  await approver.question(question => question.request_id === pending)
  host.kill('SIGKILL')
  await eventually('gone', () => host.signalCode !== null)
  await start([], inProcess)
  const { client: later, approver: again } = await meet()
  const read = later.ask('read_output', { session_id: id })
  expect(await later.heard.next('output', frame => frame.request_id === read)).toMatchObject({ state: 'lost' })
  later.command('/bin/echo once >> log; sleep 300', { working_directory: place.work, request_id: id })
  expect(await later.response(id)).toMatchObject({ state: 'lost', running: false })
  const asked = later.ask('read_output', { session_id: pending })
  expect(await later.heard.next('output', frame => frame.request_id === asked)).toMatchObject({ state: 'withdrawn' })
  expect([place.read('work/log'), existsSync(join(place.work, 'ran'))]).toEqual(['once\n', false])
  expect(again.heard.all.some(frame => frame.type === 'question')).toBe(false)
  const kill = later.ask('kill', { session_id: id })
  await later.heard.next('killed', frame => frame.request_id === kill)
})

test('after kill -9 the next host still says who let a run start, and as what', async () => {
  place.allow('sleep 301')
  const host = await start()
  const { client, approver } = await meet()
  const answered = await approved(client, approver, '/bin/echo up > up1; sleep 300')
  const edited = client.command('sleep 302', { working_directory: place.work })
  await approver.edit(
    await approver.question(question => question.request_id === edited),
    '/bin/echo up > up2; sleep 300',
  )
  const ruled = client.command('sleep 301', { working_directory: place.work })
  const unanswered = client.command('touch ran', { working_directory: place.work })
  await approver.question(question => question.request_id === unanswered)
  const running = (id: string) =>
    client.heard.all.some(frame => frame.type === 'progress' && frame.request_id === id && frame.phase === 'running')
  await eventually('they run', () => [answered, edited, ruled].every(running))
  host.kill('SIGKILL')
  await eventually('gone', () => host.signalCode !== null)
  await start()
  const { client: later } = await meet()
  const told = async (session_id: string) => {
    const read = later.ask('read_output', { session_id })
    const { state, approved, authorization, approved_by, command_executed } = await later.heard.next(
      'output',
      frame => frame.request_id === read,
    )
    return { state, approved, authorization, approved_by, command_executed }
  }
  const kept = { state: 'running', approved: true }
  expect(await Promise.all([answered, edited, ruled, unanswered].map(told))).toEqual([
    { ...kept, authorization: 'allowed_with_warning', approved_by: 'person' },
    {
      ...kept,
      authorization: 'allowed_with_warning',
      approved_by: 'person',
      command_executed: '/bin/echo up > up2; sleep 300',
    },
    { ...kept, authorization: 'allowed', approved_by: 'allowlist' },
    { state: 'withdrawn', approved: false, authorization: 'blocked' },
  ])
  expect((await run(['runs', answered])).said).toMatch(/^Running · answered by tester \(apr_/)
  expect((await run(['runs', edited])).said).toMatch(
    /^Running · answered by .*\n\/bin\/echo up > up2; sleep 300\ninstead of: sleep 302/,
  )
  expect((await run(['runs', ruled])).said).toMatch(/^Running · allowed by a rule/)
  expect((await run(['runs', unanswered])).said).toMatch(/^Withdrawn: the host ended. It never ran · never started/)
  for (const session_id of [answered, edited, ruled]) {
    const kill = later.ask('kill', { session_id })
    await later.heard.next('killed', frame => frame.request_id === kill)
  }
})

test('a host with nothing to do ends by itself', async () => {
  const host = await start(['--idle-timeout', '1'])
  await eventually('it ended', () => host.exitCode !== null)
  expect([host.exitCode, told()]).toEqual([0, null])
})

test('a client, an approver or a run keeps it', async () => {
  const host = await start(['--idle-timeout', '1'])
  const { client, approver } = await meet()
  const id = await approved(client, approver, 'sleep 2.5; /bin/echo still here >> log')
  await client.heard.next('progress', frame => frame.phase === 'running')
  client.send({ type: 'goodbye' })
  approver.send({ type: 'detach' })
  await eventually('the run ended', () => place.read('work/log') !== '')
  expect([host.exitCode, id.startsWith('req_')]).toEqual([null, true])
  await eventually('then the host', () => host.exitCode === 0)
})
