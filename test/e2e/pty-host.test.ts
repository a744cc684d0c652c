import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Link } from '../../src/base/link/link.ts'
import { dialPsk } from '../../src/base/link/psk-socket.ts'
import { commandLine } from '../drivers/command-line.ts'
import { LivePtyHosts, run } from '../drivers/live-pty-host.ts'
import { eventually, isAlive } from '../drivers/mcp-client.ts'
import { usesSpawner } from '../drivers/needs.ts'
import { LogFollower } from '../fakes/log-follower.ts'

let at: LivePtyHosts
beforeEach(async () => {
  at = await new LivePtyHosts().start()
})
afterEach(() => at.close())

/** What one end says of one kind. */
function sentOver(link: Link, type: string): { readonly pty_ids?: readonly string[] }[] {
  const sent: object[] = []
  const send = link.send.bind(link)
  link.send = frame => {
    if ((frame as { type: string }).type === type) sent.push(frame)
    return send(frame)
  }
  return sent
}

/** What the host that comes next finds; null while another one is served. */
const nextHost = () =>
  at.host().then(
    ({ found }) => found,
    () => null,
  )

const exited = { exitCode: 0, signal: null, drained: true, carried: null, at: expect.any(Number) }

test('a command runs in a terminal of another process, and its output is in its log', async () => {
  const { client } = await at.host()
  const command = at.command('tty; stty size; printf ok; exit 3')
  const { pty, end } = await run(client, command)
  expect(end).toEqual({ ...exited, exitCode: 3 })
  const text = at.printed(command.runId).toString()
  expect(text).toMatch(/^\/dev\/pts\/\d+\r\n24 80\r\nok$/)
  expect(pty.output).toEqual({ size: text.length, lost: 0 })
  expect(pty.owner?.pid).toBe(at.pty.pid)
})

test('a command that cannot start says why, and nothing ran', async () => {
  const { client } = await at.host()
  const nowhere = at.command('true', { cwd: '/nowhere/at/all' })
  const how = await run(client, nowhere).catch((cause: Error) => cause.message)
  // Without the spawner the program in the terminal says so itself, and ends.
  if (usesSpawner) expect(how).toBe('spawn /nowhere/at/all ENOENT')
  else expect(how).toMatchObject({ end: { exitCode: 1 } })
  const long = at.command('true', { env: { BIG: 'x'.repeat(5 * 1024 * 1024) } })
  await expect(client.start(long, () => {})).rejects.toThrow('too long')
})

test('what is typed arrives, byte by byte, and a new size is told to the program', async () => {
  const { client } = await at.host()
  const command = at.command(
    'trap "stty size" WINCH; stty -echo; /bin/echo ready; read -r line; /bin/echo "got $line"; stty size',
  )
  const pty = await client.start(command, () => {})
  await eventually('it is ready', () => at.printed(command.runId).includes('ready'))
  pty.resize(100, 40)
  pty.write(Buffer.from('héllo\n'))
  await pty.ended
  expect(at.printed(command.runId).toString()).toContain('got héllo\r\n40 100\r\n')
})

test('a program that reads nothing is sent only so much, whoever types hears so, and it goes on once it reads', async () => {
  const { client } = await at.host()
  const line = 'stty raw -echo; echo ready; while [ ! -e go ]; do sleep 0.02; done; cat > /dev/null'
  const pty = await client.start(at.command(line), () => {})
  await eventually('it is ready', () => pty.output.size > 0)
  const part = Buffer.alloc(256 * 1024, 'x')
  let typed = 0
  const typeOn = async () => {
    for (; typed < 64; typed++) {
      pty.write(part)
      await new Promise(setImmediate)
    }
  }
  // Without the spawner nobody knows how much waits, and all of it does.
  if (usesSpawner) {
    await expect(typeOn()).rejects.toThrow('does not read what is typed')
    // 7 MiB, and what the terminal itself holds.
    expect([28, 29, 30, 31]).toContain(typed)
  }
  writeFileSync(join(at.command('').cwd, 'go'), '')
  await eventually('there is room again', () =>
    typeOn().then(
      () => true,
      () => false,
    ),
  )
  expect(typed).toBe(64)
  await pty.kill(0)
})

test('kill ends the whole tree, also what left its group, and says who is left', async () => {
  const { client } = await at.host()
  const command = at.command('setsid sleep 300 & /bin/echo $!; sleep 300')
  const pty = await client.start(command, () => {})
  await eventually('it runs', () => at.printed(command.runId).includes('\n'))
  const child = Number(at.printed(command.runId).toString())
  expect(await pty.kill(200)).toEqual([])
  expect(await pty.ended).toEqual({ ...exited, exitCode: null, signal: 'SIGTERM' })
  await eventually('the child is gone', () => !isAlive(child))
})

test('the size of the log is told while it grows', async () => {
  const { client } = await at.host()
  const sizes: number[] = []
  const pty = await client.start(at.command('printf abc; read -r line; printf defg'), () => {
    sizes.push(pty.output.size)
  })
  await eventually('the first bytes', () => sizes.at(-1) === 3)
  pty.write(Buffer.from('\n'))
  await pty.ended
  expect(pty.output.size).toBeGreaterThanOrEqual(7)
})

test('somebody who watches gets every byte from then on, with its place in the log', async () => {
  const { client } = await at.host()
  const command = at.command('stty -echo; printf before; read -r line; seq 1 20000')
  let following: LogFollower | null = null
  const pty = await client.start(command, () => following?.grown())
  await eventually('the first bytes', () => pty.output.size === 6)
  following = new LogFollower(pty, command)
  pty.write(Buffer.from('\n'))
  await pty.ended
  expect(following.bytes.equals(at.printed(command.runId).subarray(6))).toBe(true)
})

test('a watcher that does not keep up holds nobody up, and misses nothing', async () => {
  const { client } = await at.host()
  const watched = at.command('read -r line; seq 1 500000')
  let following: LogFollower | null = null
  const pty = await client.start(watched, () => following?.grown())
  following = new LogFollower(pty, watched, 256 * 1024)
  pty.write(Buffer.from('\n'))
  const other = at.command('seq 1 200000')
  await run(client, other)
  expect(at.printed(other.runId).length).toBe(1_488_895)
  expect(await pty.ended).toMatchObject({ exitCode: 0, drained: true })
  expect(following.next).toBeLessThan(600 * 1024)
  following.resume()
  expect(following.bytes.equals(at.printed(watched.runId))).toBe(true)
  expect(following.next).toBe(3_888_895 + 2)
})

test('A8: only one host at a time is served', async () => {
  const { link } = await at.host()
  await expect(at.host()).rejects.toThrow('Another host is connected')
  link.close('the first one ends')
  await eventually('the second is served', () =>
    at.host().then(
      () => true,
      () => false,
    ),
  )
})

test('ends that the host has written down are forgotten together, and the next host does not hear of them', async () => {
  const { client, link } = await at.host()
  const forgets = sentOver(link, 'forget')
  const ended = await Promise.all(['true', 'false', 'exit 3'].map(line => run(client, at.command(line))))
  for (const { pty } of ended) pty.forget()
  await eventually('pty-host was told', () => forgets.length > 0)
  expect(forgets.map(({ pty_ids }) => pty_ids?.length)).toEqual([3])
  link.close('the first one ends')
  await eventually('the next host finds nothing', async () => (await nextHost())?.length === 0)
})

test('an end that was written down while nobody was connected is not taken back with the next connection', async () => {
  const { client, link } = await at.host()
  const { pty } = await run(client, at.command('true'))
  link.close('it broke')
  pty.forget()
  await eventually('connected again', async () => {
    const again = await at.link()
    const forgets = sentOver(again, 'forget')
    const found = await client.meet(again, () => {}).catch(() => null)
    return found?.length === 0 && forgets.length === 1
  })
})

test('a host that says nothing first, or speaks another version, is not served', async () => {
  const early = await at.link()
  const heard: object[] = []
  early.onFrame(frame => heard.push(frame))
  early.send({ type: 'kill', pty_id: 'pty_1', grace_ms: 0 })
  await eventually('closed', () => !early.open)
  const other = await at.link()
  other.onFrame(frame => heard.push(frame))
  other.send({ type: 'hello', protocol_version: 99, host_id: 'host_1', host_pid: 1 })
  await eventually('closed', () => !other.open)
  expect(heard).toEqual([{ type: 'refused', reason: expect.stringContaining('version 2') }])
})

test.each([
  ['another key', 'host', Buffer.alloc(32, 7)],
  ['the key of the person’s servers', 'host', 'local.key'],
  ['another name', 'local', 'host.key'],
])('whoever comes with %s does not get in', async (_, identity, key) => {
  const file = (name: string) => Buffer.from(at.place.read(`home/state/${name}`).trim().padEnd(64, '0'), 'hex')
  const { port } = at.pty
  const dialling = dialPsk({
    host: '127.0.0.1',
    port,
    identity,
    key: typeof key === 'string' ? file(key) : key,
    timeoutMs: 3000,
    clock: systemClock,
    signal: AbortSignal.timeout(5000),
  })
  await expect(dialling).rejects.toMatchObject({ problem: 'wrong_key' })
  await at.host()
})

test.each([
  ['garbage', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a frame in the clear', Buffer.from('{"type":"hello","protocol_version":1}\n')],
  ['zeros', Buffer.alloc(100_000)],
])('%s ends the connection and nothing else', async (_, bytes) => {
  const socket: Socket = connect(at.pty.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(bytes)
  await eventually('closed', () => socket.destroyed || socket.readableEnded)
  socket.destroy()
  await at.host()
})

test('a frame nobody knows, or that is too long, ends the connection; terminals live on', async () => {
  const { client, link } = await at.host()
  const command = at.command('read -r line')
  await client.start(command, () => {})
  link.send({ type: 'create', pty_id: 'pty_1' })
  await eventually('closed', () => !link.open)
  const { found } = await at.host()
  expect(found.map(pty => [pty.runId, pty.process.output.size])).toEqual([[command.runId, 0]])
})

test('the key is in no argument, no variable and no file but the host’s', async () => {
  await at.host()
  const { pid } = at.pty
  const key = at.place.read('home/state/host.key').trim()
  const seen = ['cmdline', 'environ'].map(name => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
  const files = ['pty-host.json', 'pty-host.log'].map(name => at.place.read(`home/state/${name}`))
  expect([...seen, ...files].filter(text => text.includes(key))).toEqual([])
  expect([seen[1], files.map(text => text.includes(at.pty.instance_id))]).toEqual(['', [true, true]])
  expect(statSync(join(at.place.home, 'state/pty-host.json')).mode & 0o077).toBe(0)
})

test('A8: a command that runs here and knows the key is no host', async () => {
  const { client, link } = await at.host()
  const script = at.place.write(
    'work/dial.mjs',
    `import { connect } from 'node:tls'
     import { hkdfSync } from 'node:crypto'
     import { readFileSync } from 'node:fs'
     const secret = Buffer.from(readFileSync(${JSON.stringify(join(at.place.home, 'state/host.key'))}, 'utf8').trim(), 'hex')
     const psk = Buffer.from(hkdfSync('sha256', secret, '${at.pty.instance_id}', 'interactive-terminal pty-host', 32))
     const dial = () => {
       const socket = connect({ host: '127.0.0.1', port: ${at.pty.port}, ciphers: 'TLS_AES_128_GCM_SHA256',
         minVersion: 'TLSv1.3', pskCallback: () => ({ identity: 'host', psk }), checkServerIdentity: () => undefined })
       socket.on('data', data => String(data).includes('Another') ? setTimeout(dial, 50) : process.stdout.write(data))
       socket.on('error', () => {})
     }
     dial()
     setTimeout(() => process.exit(0), 10000)`,
  )
  const command = at.command(`exec ${process.execPath} ${script}`)
  await client.start(command, () => {})
  link.close('the host goes')
  await eventually('it was told', () => at.printed(command.runId).includes('is no host'), 10_000)
})

test('started by hand it says who starts it', async () => {
  const { code, out } = await commandLine(at.place, ['pty-host'])
  expect({ code, out }).toEqual({ code: 2, out: 'pty-host is started by the host, which tells it what to do.\n' })
})
