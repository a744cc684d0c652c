import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Host } from '../../src/host/open-host.ts'
import { LiveHost, openLiveHost } from '../fakes/live-host.ts'
import { endOf, eventually } from '../fakes/mcp-client.ts'
import { Place, PRODUCT } from '../fakes/place.ts'

let at: LiveHost
beforeEach(async () => {
  at = await openLiveHost({ env: { PM_TERM_HEARTBEAT_INTERVAL: '1' } })
})
afterEach(() => at.close())

test('a thousand connections that say nothing, half a hello or garbage keep nobody from his work', async () => {
  const sockets = Array.from({ length: 1000 }, (_, i) => {
    const socket = connect(i % 2 ? at.host.port : at.host.approverPort, '127.0.0.1')
    socket.on('error', () => {})
    if (i % 3 === 0) socket.write(Buffer.from([0x16, 0x03, 0x01]))
    else if (i % 3 === 1) socket.write('{"type":"hello"')
    return socket
  })
  const client = await at.client()
  const approver = await at.approver()
  const id = client.command('expr through; true', { working_directory: at.place.work })
  approver.approve(await approver.question())
  expect(await client.response(id)).toMatchObject({ output: 'through\r\n' })
  await eventually('all of them are gone', () => sockets.every(socket => socket.destroyed || socket.closed), 10_000)
})

test('a client that shows no sign of life is let go; one that does is kept', async () => {
  const silent = await at.client()
  const lively = await at.client()
  const beat = setInterval(() => lively.send({ type: 'heartbeat' }), 300)
  await eventually('the silent one is let go', () => silent.closed !== null, 10_000)
  clearInterval(beat)
  expect([lively.closed, lively.heard.all.some(frame => frame.type === 'heartbeat')]).toEqual([null, true])
}, 15_000)

test('a wrong key or name gets nothing from either listener', async () => {
  const wrong = Buffer.alloc(32, 1)
  for (const [identity, port] of [
    ['local', at.host.port],
    ['box', at.host.port],
    ['approver', at.host.port],
    ['approver', at.host.approverPort],
    ['local', at.host.approverPort],
    ['../local', at.host.port],
  ] as const)
    await expect(at.dial(identity, wrong, port)).rejects.toMatchObject({ problem: 'wrong_key' })
})

test('more output than the disk takes is counted as lost, and the command goes on to its end', async () => {
  const place = new Place()
  let host: ChildProcess | null = null
  try {
    // A limit on file size is what a full disk looks like to a writer, without filling the disk.
    host = spawn('bash', ['-c', 'ulimit -f 1024; exec "$0" "$1" host', process.execPath, PRODUCT], {
      env: place.env(),
      stdio: 'ignore',
    })
    await eventually('the host is ready', () => place.read('home/state/host.json') !== '')
    const { port, approver_port } = JSON.parse(place.read('home/state/host.json')) as Record<string, number>
    const live = new LiveHost(place, { port, approverPort: approver_port } as unknown as Host)
    const approver = await live.approver()
    const client = await live.client()
    const id = client.command("stty -opost; head -c 12000000 /dev/zero | tr '\\0' x; /bin/echo end", {
      working_directory: place.work,
    })
    approver.approve(await approver.question())
    const response = await client.response(id, 15_000)
    expect(response).toMatchObject({ exit_code: 0, output_bytes: 12_000_004 })
    expect(response.lost_bytes).toBeGreaterThan(0)
  } finally {
    if (host) await endOf(host)
    place.remove()
  }
}, 30_000)

test.each([3_600_000, -3_600_000])(
  'a clock that jumps by %i ms neither expires a question nor ends a command',
  async jump => {
    let shift = 0
    const jumpy = await openLiveHost({ now: () => Date.now() + shift })
    try {
      const client = await jumpy.client()
      const approver = await jumpy.approver()
      const timed = { working_directory: jumpy.place.work, timeout_seconds: 60, approval_timeout_ms: 60_000 }
      const id = client.command('sleep 0.6; /bin/echo done', timed)
      const question = await approver.question()
      shift = jump
      approver.approve(question)
      await client.heard.next('progress', frame => frame.phase === 'running')
      shift = -jump
      const response = await client.response(id)
      expect(response).toMatchObject({ output: 'done\r\n', state: 'exited' })
      expect(response.execution_time_ms).toBeLessThan(10_000)
    } finally {
      await jumpy.close()
    }
  },
)
