import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { LiveHost, openLiveHost, setPassphrase } from '../drivers/live-host.ts'
import { endOf, eventually } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

const CROWD = resolve(import.meta.dirname, '../drivers/crowd.mjs')

let at: LiveHost
beforeEach(async () => {
  at = await openLiveHost()
})
afterEach(() => at.close())

/** Half of a thousand go to each listener. Whoever starts Node on a small machine may have 1024 files open. */
const CROWDS = 4
const EACH = 250

test('a thousand connections that say nothing, half a hello or garbage keep nobody from his work', async () => {
  const { port, approverPort } = at.host
  const crowds = Array.from({ length: CROWDS }, () =>
    spawn(process.execPath, [CROWD, String(EACH), String(port), String(approverPort)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  try {
    await Promise.all(crowds.map(({ stdout }) => once(stdout, 'data')))
    const client = await at.client()
    const approver = await at.approver()
    const id = client.command('expr through; true', { working_directory: at.place.work })
    approver.approve(await approver.question())
    expect(await client.response(id)).toMatchObject({ output: 'through\r\n' })
    // Each ends when its last connection was ended.
    await Promise.all(crowds.map(async crowd => crowd.exitCode ?? (await once(crowd, 'exit'))))
  } finally {
    for (const crowd of crowds) crowd.kill('SIGKILL')
  }
}, 60_000)

test('a client that shows no sign of life is let go; one that does is kept', async () => {
  await at.close()
  at = await openLiveHost({ env: { PM_TERM_HEARTBEAT_INTERVAL: '1' } })
  const silent = await at.client()
  const lively = await at.client()
  silent.fallSilent()
  await eventually('the silent one is let go', () => silent.closed !== null, 10_000)
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
    setPassphrase(place)
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

test('seventy commands of one agent run at once, and each of them can still be read and ended', async () => {
  const client = await at.client()
  await at.approver()
  const line = at.place.shell('echo up; exec sleep 300')
  const ids = Array.from({ length: 70 }, () =>
    client.command(line.command, { args: line.args, working_directory: at.place.work, workspace_id: 'test' }),
  )
  for (const session_id of ids) {
    const asked = client.ask('read_output', { session_id, output: { wait_for: 'text', text: 'up', wait_ms: 30_000 } })
    const page = await client.heard.next('output', frame => frame.request_id === asked, 40_000)
    expect([page.state, page.output]).toEqual(['running', 'up\r\n'])
  }
  const kills = ids.map(session_id => client.ask('kill', { session_id }))
  for (const kill of kills) await client.heard.next('killed', frame => frame.request_id === kill, 40_000)
  expect(client.heard.all.filter(frame => frame.type === 'error')).toEqual([])
}, 120_000)

/** Nobody reads what it logs: it goes on all the same, and ends when it is told to. */
test.each(['SIGTERM', 'SIGINT'] as const)(
  'a host whose log nobody reads any more works, and %s ends it',
  async signal => {
    const place = new Place()
    place.alone()
    const host = spawn(process.execPath, [PRODUCT, 'host', '--log-level', 'debug'], {
      env: place.env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      host.stdout.destroy()
      host.stderr.destroy()
      await eventually('it is ready', () => place.read('home/state/host.json') !== '', 15_000)
      const told = JSON.parse(place.read('home/state/host.json')) as { port: number; approver_port: number }
      const live = new LiveHost(place, { port: told.port, approverPort: told.approver_port } as Host)
      const client = await live.client()
      const line = place.shell('exit 4')
      const id = client.command(line.command, { args: line.args, working_directory: place.work, workspace_id: 'test' })
      expect(await client.response(id)).toMatchObject({ status: 'error' })
      host.kill(signal)
      await eventually('it has ended', () => host.exitCode !== null, 10_000)
      expect(host.exitCode).toBe(0)
    } finally {
      await endOf(host)
      place.remove()
    }
  },
)
