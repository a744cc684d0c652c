import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { AnyResponse } from '../../src/contract/tool/response.ts'
import { commandLine } from '../drivers/command-line.ts'
import type { Opened } from '../drivers/mcp-client.ts'
import { isOnThePage } from './page-payloads.ts'
import { executing } from './side.ts'
import { soon } from './soon.ts'
import { TwoSides } from './two-sides.ts'

let world: TwoSides
let made = 0
beforeAll(() => {
  world = new TwoSides({ PM_TERM_APPROVER_WAIT_MS: '1500' })
  // Before the host starts: from then on only a person at its window lets somebody in.
  for (const name of ['box', 'guest', 'one', 'two']) world.pair(name)
})
afterAll(() => world.end())
beforeEach(() => rmSync(join(world.place.work, 'ran'), { force: true }))

const nft = (rules: string) => execFileSync('nft', ['-f', '-'], { input: rules })
const open = (name: string, env: Record<string, string> = {}, more = {}) =>
  world.container(name, { keyOf: 'box', env: { PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS: '1500', ...env }, ...more })

/** A command that leaves a mark wherever it runs: the directory is the same inside and outside. */
async function tries(server: Opened, command = 'touch ran'): Promise<AnyResponse> {
  made += 1
  return (await server.interactive(executing(`fault:${made}`, command), { timeoutMs: 50_000 })).data
}
const nothingRan = () => expect(existsSync(join(world.place.work, 'ran'))).toBe(false)
const told = ({ error }: AnyResponse) => ({
  code: error?.code,
  reason: error?.details.reason,
  outcomes: ((error?.details.attempts ?? []) as { name: string; outcome: string }[]).map(({ outcome }) => outcome),
})

/** Somebody else on the bridge's port. */
async function squatter(
  behave: (socket: Socket) => void,
): Promise<{ readonly heard: () => Buffer; readonly leave: () => void }> {
  const heard: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('data', chunk => {
      heard.push(chunk)
      behave(socket)
    })
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(45_459, '0.0.0.0', resolve))
  const leave = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { heard: () => Buffer.concat(heard), leave }
}

describe('while no host runs outside', () => {
  test('nothing runs anywhere when the bridge is down, and every way that was tried is told', async () => {
    const data = await tries(await open('down'))
    expect(told(data)).toEqual({
      code: 'PM_TERM_GUI_UNAVAILABLE',
      reason: 'bridge_required_no_fallback',
      outcomes: ['refused', 'not_resolved'],
    })
    expect(data.error?.details.attempts).toMatchObject([
      { name: 'host.containers.internal', address: expect.stringMatching(/^10\.\d+\.\d+\.1:45459$/) },
      { name: 'host.docker.internal', address: null },
    ])
    isOnThePage(data)
    nothingRan()
  })

  test('nothing runs anywhere when somebody else holds the port and hangs up, and he learns nothing', async () => {
    const rude = await squatter(socket => socket.destroy())
    const data = await tries(await open('rude'))
    rude.leave()
    expect(told(data)).toMatchObject({ code: 'PM_TERM_DISCONNECTED', reason: 'handshake_failed' })
    const [, key = ''] = readFileSync(join(world.place.home, 'state/keys/box.key'), 'utf8').trim().split(' ')
    const all = rude.heard()
    expect([
      all.length > 0,
      all.includes(key),
      all.includes(Buffer.from(key, 'hex')),
      all.includes('touch ran'),
    ]).toEqual([true, false, false, false])
    nothingRan()
  })

  test('nothing runs anywhere when the port is open and nobody is behind it', async () => {
    const silent = await squatter(() => {})
    const data = await tries(await open('silent'))
    silent.leave()
    expect(data.error).toMatchObject({ code: 'PM_TERM_TIMEOUT', details: { phase: 'handshake' } })
    isOnThePage(data)
    nothingRan()
  })

  test('a name server that is missing costs a second, not eleven', async () => {
    const env = {
      PM_INTERACTIVE_TERMINAL_HOST_ALIAS: 'nowhere.test',
      PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS: 'neither.test',
    }
    const data = await tries(await open('nameless', env))
    const attempts = data.error?.details.attempts as { name: string; outcome: string; ms: number }[]
    expect(attempts.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['nowhere.test', 'not_resolved'],
      ['neither.test', 'not_resolved'],
      ['default gateway', 'refused'],
    ])
    expect(attempts.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThan(4000)
    nothingRan()
  })

  test('a network without a way out says so', async () => {
    const data = await tries(await open('alone', {}, { network: 'none' }))
    expect(told(data)).toMatchObject({ code: 'PM_TERM_GUI_UNAVAILABLE', reason: 'bridge_required_no_fallback' })
    nothingRan()
  })

  test.each([
    ['is missing', { PM_INTERACTIVE_TERMINAL_KEY_FILE: '/run/secrets/none' }, 'does not exist'],
    ['is no key', { PM_INTERACTIVE_TERMINAL_KEY_FILE: '/etc/passwd' }, 'can be read by other users'],
    ['is not named', { PM_INTERACTIVE_TERMINAL_KEY_FILE: '' }, 'needs PM_INTERACTIVE_TERMINAL_KEY_FILE'],
  ])('a key file that %s is a setting to mend', async (_, env, problem) => {
    const data = await tries(await open('keyless', env))
    expect(data.error).toMatchObject({ code: 'PM_TERM_INVALID_MODE', message: expect.stringContaining(problem) })
    if (env.PM_INTERACTIVE_TERMINAL_KEY_FILE === '') isOnThePage(data)
    nothingRan()
  })

  test.each(['local', 'bundled'])(
    'an explicit "%s" executes nothing in the container and starts no host there',
    async adapter => {
      const server = await open('stubborn')
      const request = executing(`stubborn:${adapter}`, 'touch ran', { runtime: { adapter_override: adapter } })
      const { data } = await server.interactive(request)
      expect(data.error).toMatchObject({ code: 'PM_TERM_INVALID_MODE', details: { reason: 'in_container', adapter } })
      nothingRan()
    },
  )
})

describe('while a host runs outside', () => {
  beforeAll(async () => {
    await world.startHost()
    await world.attach()
  })
  const approved = async (server: Opened, command: string): Promise<AnyResponse> => {
    const asked = tries(server, command)
    world.approver.approve(await world.approver.question(({ request_id }) => request_id === `fault:${made}`))
    return asked
  }

  test('a wrong key opens nothing', async () => {
    const file = join(world.place.root, 'wrong.key')
    writeFileSync(file, `box ${'0'.repeat(64)}\n`, { mode: 0o600 })
    const data = await tries(await open('wrong', {}, { secret: { file, target: 'interactive-terminal.key' } }))
    expect(told(data)).toEqual({
      code: 'PM_TERM_DISCONNECTED',
      reason: 'not_paired',
      outcomes: ['wrong_key', 'not_resolved'],
    })
    isOnThePage(data)
    nothingRan()
  })

  test('a revoked container is cut off in the middle, and the same key opens nothing any more', async () => {
    const server = await world.container('guest')
    const asked = tries(server)
    await world.approver.question(({ requester }) => requester === 'guest')
    expect(await commandLine(world.place, ['pair', '--revoke', 'guest'])).toMatchObject({ code: 0 })
    const data = await asked
    expect(data.error?.code).toBe('PM_TERM_DISCONNECTED')
    expect(told(await tries(server))).toMatchObject({ code: 'PM_TERM_DISCONNECTED', reason: 'not_paired' })
    nothingRan()
  })

  test('a port that is dropped is not waited for longer than was said, and heals', async () => {
    const server = await open('dropped')
    nft('table inet it {\n chain in {\n type filter hook input priority 0\n tcp dport 45459 drop\n }\n}\n')
    const data = await tries(server).finally(() => nft('delete table inet it\n'))
    expect(told(data)).toMatchObject({ code: 'PM_TERM_GUI_UNAVAILABLE', outcomes: ['late', 'not_resolved'] })
    nothingRan()
    expect(await approved(server, '/bin/echo back')).toMatchObject({ result: { stdout: 'back\n' } })
  })

  test('a host that is frozen behind its open port is a timeout of the handshake', async () => {
    world.host.kill('SIGSTOP')
    const data = await open('frozen')
      .then(server => tries(server))
      .finally(() => world.host.kill('SIGCONT'))
    expect(data.error).toMatchObject({ code: 'PM_TERM_TIMEOUT', details: { phase: 'handshake' } })
    nothingRan()
    // The person's own line was frozen along with it.
    await world.leave()
    await world.attach()
  })

  test.each([
    ['slow', { latencyMs: 60 }],
    ['in single bytes', { slice: 1 }],
  ])('over a line that is %s everything arrives whole', async (_, faults) => {
    const line = await world.proxy(45_459, { host: '0.0.0.0', port: 9400 })
    const server = await open(`line-${made}`, {
      PM_INTERACTIVE_TERMINAL_HOST_PORT: '9400',
      PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS: '10000',
    })
    line.set(faults)
    const data = await approved(server, '/usr/bin/seq 1 3000')
    await line.close()
    expect(data).toMatchObject({ success: true, result: { exit_code: 0, output_bytes: 13_893 + 3000 } })
  })

  test('a line that is pulled out and plugged in again in the middle of output loses nothing and runs nothing twice', async () => {
    const line = await world.proxy(45_459, { host: '0.0.0.0', port: 9400 })
    const server = await open('pulled', { PM_INTERACTIVE_TERMINAL_HOST_PORT: '9400' })
    const asked = approved(server, '/bin/echo x >> ran; for i in $(seq 1 40); do /bin/echo line $i; sleep 0.05; done')
    await soon('it has begun', () => existsSync(join(world.place.work, 'ran')))
    for (const _ of [1, 2, 3]) {
      const before = line.connections
      line.cut()
      await soon('it is back', () => line.connections > before)
    }
    const data = await asked
    await line.close()
    expect(data.result.stdout).toBe(Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`).join(''))
    expect(world.place.read('work/ran')).toBe('x\n')
  })

  test('a line that stays cut is told as such, and later reading finds what became of it', async () => {
    const line = await world.proxy(45_459, { host: '0.0.0.0', port: 9400 })
    const server = await open('cut', { PM_INTERACTIVE_TERMINAL_HOST_PORT: '9400' })
    const asked = approved(server, '/bin/echo x >> ran; sleep 1; /bin/echo done')
    const id = `fault:${made}`
    await soon('it has begun', () => existsSync(join(world.place.work, 'ran')))
    line.set({ down: true })
    line.cut()
    expect((await asked).error).toMatchObject({ code: 'PM_TERM_DISCONNECTED', details: { session_id: id } })
    line.set({ down: false })
    const read = { action: 'read_output', target: { session_id: id }, output: { wait_for: 'exit', wait_ms: 10_000 } }
    const { data } = await server.interactive(read)
    await line.close()
    expect([data.result.state, data.result.stdout, world.place.read('work/ran')]).toEqual(['exited', 'done\n', 'x\n'])
  })

  test('without any network a mounted socket file is enough', async () => {
    const env = { PM_INTERACTIVE_TERMINAL_HOST_SOCKET: '/run/interactive-terminal/host.sock' }
    const mounts = [{ path: join(world.place.home, 'state', 'bridge'), at: '/run/interactive-terminal', how: 'rw' }]
    const server = await open('offline', env, { network: 'none', mounts })
    expect(await approved(server, '/bin/echo over a file')).toMatchObject({
      result: { stdout: 'over a file\n', adapter: 'container_bridge_to_host' },
    })
  })

  test('two containers with two keys see only their own runs, and the person tells them apart', async () => {
    const [one, two] = [await world.container('one'), await world.container('two')]
    const asked = tries(one, '/bin/echo of one')
    const question = await world.approver.question(({ requester }) => requester === 'one')
    world.approver.approve(question)
    const { session_id } = (await asked).identity
    expect((await approved(two, '/bin/echo of two')).result.stdout).toBe('of two\n')
    const list = async (server: Opened) =>
      (await server.interactive({ action: 'list' })).data.result.items?.map(({ command }) => command)
    expect([await list(one), await list(two)]).toEqual([['/bin/echo of one'], ['/bin/echo of two']])
    for (const action of ['read_output', 'terminate']) {
      const { data } = await two.interactive({ action, target: { session_id } })
      expect(data.error?.code).toBe('PM_TERM_NOT_FOUND')
    }
  })

  test('every step of the bridge can be seen, and nothing of what is said', async () => {
    const server = await open('traced', { PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE: '1' })
    await approved(server, '/bin/echo secret-word')
    await soon('the last frame', () => server.log().includes('command_response'))
    const log = server.log()
    for (const step of ['bridge: dialling', 'bridge: reached', 'bridge: sent', 'bridge: received'])
      expect(log).toContain(step)
    expect(log).not.toContain('secret-word')
  })
})

describe('the gateway of the container network', () => {
  test('is where the bridge listens by itself, from the first container on', async ({ skip }) => {
    if (inject('engine').kind !== 'podman') skip('only an engine makes such a network')
    const other = new TwoSides({
      PM_TERM_BRIDGE_ADDRESS: 'auto',
      PM_TERM_PORT: '9110',
      PM_TERM_APPROVER_PORT: '9111',
      PM_INTERACTIVE_TERMINAL_HOST_PORT: '45460',
    })
    try {
      other.pair('box')
      await other.startHost()
      const server = await other.container('first', {
        keyOf: 'box',
        env: { PM_INTERACTIVE_TERMINAL_HOST_PORT: '45460' },
      })
      await soon('it can be reached', async () => {
        const { data } = await server.interactive({ action: 'list' })
        return data.success && data.result.warning === undefined
      })
      const listening = execFileSync('ss', ['-Hltn', 'sport', '=', ':45460'], { encoding: 'utf8' })
      expect(listening).toMatch(/10\.\d+\.\d+\.1:45460/)
      expect(listening).not.toContain('0.0.0.0:45460')
    } finally {
      await other.end()
    }
  })
})
