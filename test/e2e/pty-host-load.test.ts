import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { LivePtyHosts, run } from '../drivers/live-pty-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { LogFollower } from '../fakes/log-follower.ts'

let at: LivePtyHosts
afterEach(() => at.close())

const MB = 1024 * 1024
const mostMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
/** What was printed; when it came is in a small file beside it. */
const onDisk = (directory: string): number =>
  readdirSync(directory)
    .filter(name => name.endsWith('.log'))
    .reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)

let floods = 0
const quota = (quotaBytes: number) => ({ directory: at.logOf(`flood-${floods++}`), quotaBytes })

test('100 MB pass through a terminal into its log, and pty-host stays below 150 MB', async () => {
  at = await new LivePtyHosts().start()
  const { client } = await at.host()
  const command = at.command("stty -opost; head -c 104857600 /dev/zero | tr '\\0' x; printf end")
  const { pty, end } = await run(client, command)
  expect([end, pty.output]).toMatchObject([
    { exitCode: 0, drained: true },
    { size: 100 * MB + 3, lost: 0 },
  ])
  expect(onDisk(at.logOf(command.runId))).toBe(100 * MB + 3)
  expect(mostMemory(at.pty.pid)).toBeLessThan(150 * MB)
}, 60_000)

test('a hundred terminals print at once, some without end: none is left out, and no byte is lost', async () => {
  at = await new LivePtyHosts().start()
  const { client } = await at.host()
  const whole = Array.from({ length: 20_000 }, (_, i) => `${i + 1}\r\n`).join('')
  const floods = await Promise.all(
    Array.from({ length: 5 }, () => client.start(at.command('exec yes', { log: quota(8 * MB) }), () => {})),
  )
  const commands = Array.from({ length: 95 }, () => at.command('seq 1 20000'))
  await Promise.all(commands.map(command => run(client, command)))
  expect(commands.filter(({ runId }) => at.printed(runId).toString() !== whole)).toEqual([])
  expect(floods.map(flood => flood.output.size > 0)).toEqual([true, true, true, true, true])
  await Promise.all(floods.map(flood => flood.kill(100)))
}, 60_000)

test('somebody who watches 30 MB go by gets all of it, and the connection holds', async () => {
  at = await new LivePtyHosts().start()
  const { client, link } = await at.host()
  const command = at.command("stty -opost -echo; printf up; read -r line; head -c 31457280 /dev/zero | tr '\\0' x")
  let following: LogFollower | null = null
  const pty = await client.start(command, () => following?.grown())
  await eventually('it is up', () => pty.output.size === 2)
  following = new LogFollower(pty, command)
  pty.write(Buffer.from('\n'))
  expect(await pty.ended).toMatchObject({ exitCode: 0, drained: true })
  expect([following.next, pty.output.size, link.open]).toEqual([30 * MB + 2, 30 * MB + 2, true])
}, 60_000)

test('over the quota of all together the largest loses its middle, the others nothing', async () => {
  at = await new LivePtyHosts({ totalBytes: 24 * MB }).start()
  const { client } = await at.host()
  const small = at.command('seq 1 100000; read -r line')
  const waiting = await client.start(small, () => {})
  const large = at.command("stty -opost; head -c 83886080 /dev/zero | tr '\\0' x; printf end")
  const { pty } = await run(client, large)
  expect(pty.output.size).toBe(80 * MB + 3)
  expect(onDisk(at.logOf(large.runId))).toBe(80 * MB + 3 - pty.output.lost)
  expect(onDisk(at.logOf(large.runId))).toBeLessThanOrEqual(24 * MB)
  expect(at.printed(large.runId).subarray(-3).toString()).toBe('end')
  waiting.write(Buffer.from('\n'))
  await waiting.ended
  expect([waiting.output.lost, at.printed(small.runId).length]).toEqual([0, waiting.output.size])
}, 60_000)
