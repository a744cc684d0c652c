import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readPairingFile } from '../../src/base/keys/key-file.ts'
import type { Link } from '../../src/base/link/link.ts'
import { dialPsk } from '../../src/base/link/psk-socket.ts'
import type { Host } from '../../src/host/host.ts'
import { commandLine } from '../drivers/command-line.ts'
import { type FakeApprover, FakeClient, LiveHost, setPassphrase } from '../drivers/live-host.ts'
import { endOf, eventually, isAlive, openStdio } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

const ON_LOOPBACK = { PM_TERM_BRIDGE_ADDRESS: '127.0.0.1', PM_INTERACTIVE_TERMINAL_HOST_PORT: '0' }
const never = new AbortController().signal

let place: Place
let bridge: ChildProcess
let said = ''
const links: Link[] = []
beforeEach(() => {
  place = new Place()
  setPassphrase(place)
  // A host that the bridge starts would look for a screen, and other tests have some.
  place.write('home/settings.json', JSON.stringify({ PM_TERM_WINDOW: 'never' }))
  said = ''
})
afterEach(async () => {
  for (const link of links.splice(0)) link.close('the test ends')
  if (bridge) await endOf(bridge)
  const { pid } = host() ?? {}
  place.remove()
  if (pid !== undefined) await eventually('the host ends', () => !isAlive(pid))
})

const keyFile = (name: string) => join(place.home, 'state', 'keys', `${name}.key`)
const pair = (name: string) => place.pair(name)
const host = () => {
  const text = place.read('home/state/host.json')
  return text === '' ? null : (JSON.parse(text) as { pid: number; port: number; approver_port: number })
}

async function start(env: Record<string, string> = ON_LOOPBACK): Promise<number> {
  bridge = spawn(process.execPath, [PRODUCT, 'bridge'], { env: place.env(env), stdio: ['ignore', 'ignore', 'pipe'] })
  return listening()
}

async function listening(): Promise<number> {
  bridge.stderr?.on('data', chunk => {
    said += chunk
  })
  const port = () => /"the bridge listens","at":"(?:127|inherited)[^}]*"port":(\d+)/.exec(said)?.[1]
  await eventually('it listens', () => port() !== undefined)
  return Number(port())
}

async function call(port: number, name = 'box', key = readPairingFile(keyFile(name)).key): Promise<FakeClient> {
  const at = { host: '127.0.0.1', port, identity: name, key }
  const link = await dialPsk({ ...at, timeoutMs: 3000, clock: systemClock, signal: never })
  links.push(link)
  return new FakeClient(link)
}

async function approver(): Promise<FakeApprover> {
  const live = new LiveHost(place, { port: host()?.port, approverPort: host()?.approver_port } as Host)
  const made = await live.approver()
  links.push(made.link)
  return made
}

test('the host starts when somebody who is paired first calls, and not before', async () => {
  pair('box')
  const port = await start()
  await expect(call(port, 'box', randomBytes(32))).rejects.toMatchObject({ problem: 'wrong_key' })
  await expect(call(port, 'stranger', randomBytes(32))).rejects.toMatchObject({ problem: 'wrong_key' })
  expect(host()).toBe(null)
  const box = await call(port)
  await box.hello()
  expect(await box.heard.next('hello_ack')).toMatchObject({ identity: 'box' })
  const person = await approver()
  const id = box.command('/bin/echo over the bridge', { working_directory: place.work })
  const question = await person.question(({ request_id }) => request_id === id)
  expect(question).toMatchObject({ requester: 'box' })
  person.approve(question)
  expect(await box.response(id)).toMatchObject({
    output: 'over the bridge\r\n',
    adapter: 'container_bridge_to_host',
  })
})

test('many who call at once get one host, each under its own name, whatever it says about itself', async () => {
  const names = ['one', 'two', 'three', 'four']
  for (const name of names) pair(name)
  const port = await start()
  const all = await Promise.all(names.map(name => call(port, name)))
  const hello = { type: 'hello', protocol_version: 1, capabilities: [], trace_id: 'trace_1' }
  for (const [i, client] of all.entries())
    client.send({ ...hello, runtime_session_id: `ses_${i}`, peer: { name: 'local' } })
  const acks = await Promise.all(all.map(client => client.heard.next('hello_ack', () => true, 20_000)))
  expect(acks.map(({ identity }) => identity)).toEqual(names)
  expect(new Set(acks.map(({ instance_id }) => instance_id)).size).toBe(1)
})

test('when the host dies the client hears it, and its next call gets a new one', async () => {
  pair('box')
  const port = await start()
  const box = await (await call(port)).hello()
  const first = host()?.pid
  if (first === undefined) throw new Error('no host has said where it is')
  // The passphrase, given once, seals the pairing: without that the next host would ask about it first.
  await approver()
  process.kill(first, 'SIGKILL')
  await eventually('it is told', () => box.closed !== null)
  await eventually('the old one is gone', () => !isAlive(first))
  await eventually('a call gets through', () =>
    call(port)
      .then(next => next.hello())
      .then(
        () => true,
        () => false,
      ),
  )
  expect(host()?.pid).not.toBe(first)
})

test('who is revoked is cut off from the host as well', async () => {
  pair('box')
  pair('other')
  const port = await start()
  const box = await (await call(port)).hello()
  const other = await (await call(port, 'other')).hello()
  expect(await commandLine(place, ['pair', '--revoke', 'box'])).toMatchObject({ code: 0 })
  await eventually('it is cut', () => box.closed !== null)
  const list = other.ask('list')
  await other.heard.next('listed', frame => frame.request_id === list)
})

test.each([
  [
    'nobody is paired and it would listen beyond this machine',
    { PM_TERM_BRIDGE_ADDRESS: '0.0.0.0' },
    'Nobody is paired',
  ],
  ['nobody is paired and it would take what there is', { PM_TERM_BRIDGE_ADDRESS: 'auto' }, 'Nobody is paired'],
  ['it is switched off', { PM_TERM_BRIDGE_ADDRESS: 'off' }, 'nowhere to listen'],
])('it does not start when %s', async (_, env, problem) => {
  expect(await commandLine(place, ['bridge'], env)).toMatchObject({ code: 2, out: expect.stringContaining(problem) })
})

test('a socket that the system opened is taken over, as systemd hands it', async () => {
  pair('box')
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle
  const line = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"'
  bridge = spawn('sh', ['-c', line, 'sh', process.execPath, PRODUCT, 'bridge'], {
    env: place.env(),
    stdio: ['ignore', 'ignore', 'pipe', fd],
  })
  const port = await listening()
  expect(port).toBe((server.address() as { port: number }).port)
  server.close()
  await (await call(port)).hello()
  expect(existsSync(join(place.home, 'state', 'host.json'))).toBe(true)
})

test('a real agent’s command goes the whole way: server, bridge, host that was just started, person, and back', async () => {
  pair('box')
  const port = await start()
  const server = await openStdio({
    place,
    env: {
      PM_RUNNING_IN_CONTAINER: 'true',
      PM_INTERACTIVE_TERMINAL_HOST_ALIAS: '127.0.0.1',
      PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS: '',
      PM_INTERACTIVE_TERMINAL_HOST_PORT: String(port),
      PM_INTERACTIVE_TERMINAL_KEY_FILE: keyFile('box'),
    },
  })
  const asked = server.interactive({
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command: '/bin/echo all the way' },
  })
  await eventually('a host', () => host() !== null)
  const person = await approver()
  person.approve(await person.question())
  expect((await asked).data).toMatchObject({
    success: true,
    result: { stdout: 'all the way\n', adapter: 'container_bridge_to_host' },
  })
  await server.close()
})
