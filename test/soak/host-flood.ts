import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../../src/host/host.ts'
import { type FakeClient, LiveHost, setPassphrase } from '../drivers/live-host.ts'
import { endOf, eventually } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

interface Flood {
  readonly bytes: number
  readonly quotaMb: number
  readonly say: (text: string) => void
}

const MB = 1024 * 1024
/** What the host may grow by while it reads more than fits anywhere. */
const MOST_GROWTH_MB = 200
const SLOWEST_ANSWER_MS = 5000
const END = 'the-very-end'

/**
 * A program that prints more than a run may keep, in a real host of its own: nothing is lost silently, both ends stay, the host
 * stays small and answers others meanwhile. True when all of that held.
 */
export async function flood({ bytes, quotaMb, say }: Flood): Promise<boolean> {
  const place = new Place()
  setPassphrase(place)
  const host = spawn(process.execPath, [PRODUCT, 'host'], {
    env: place.env({ PM_TERM_OUTPUT_QUOTA_MB: String(quotaMb) }),
    stdio: 'ignore',
  })
  try {
    const { client, id } = await startFlood(place, host, bytes)
    const before = residentMb(host)
    const { peakMb, slowestMs } = await watch(host, client, id)
    const response = await client.response(id, 1000)
    const kept = sizeOf(join(place.home, 'state', 'runs'))
    const { output_bytes = 0, lost_bytes = 0, exit_code, execution_time_ms = 1, output } = response
    const rate = Math.round(bytes / MB / (execution_time_ms / 1000))
    say(
      `host: ${Math.round(bytes / MB)} MB in ${execution_time_ms} ms (${rate} MB/s), ${Math.round(kept / MB)} MB kept, ` +
        `${lost_bytes} bytes counted as lost, host grew from ${before} to ${peakMb} MB, slowest answer ${slowestMs} ms`,
    )
    const failures = [
      [exit_code === 0, `exit code ${exit_code}`],
      // The offsets go on where bytes were let go, so the end is where it would be without a quota.
      [output_bytes === bytes + END.length, `${output_bytes} bytes of output, ${bytes + END.length} were printed`],
      [output.startsWith('xxxx') && output.endsWith(END), 'head or tail is gone'],
      [lost_bytes > 0 === bytes > quotaMb * MB, `${lost_bytes} bytes lost with a quota of ${quotaMb} MB`],
      [kept <= (quotaMb + 8) * MB, `${kept} bytes on disk`],
      [peakMb - before <= MOST_GROWTH_MB, `the host grew by ${peakMb - before} MB`],
      [slowestMs <= SLOWEST_ANSWER_MS, `an answer took ${slowestMs} ms`],
    ].flatMap(([held, problem]) => (held ? [] : [problem]))
    for (const problem of failures) say(`host: FAILED: ${problem}`)
    return failures.length === 0
  } finally {
    await endOf(host)
    place.remove()
  }
}

async function startFlood(
  place: Place,
  host: ChildProcess,
  bytes: number,
): Promise<{ client: FakeClient; id: string }> {
  const told = () => {
    try {
      return JSON.parse(place.read('home/state/host.json')) as { pid: number; port: number; approver_port: number }
    } catch {
      return null
    }
  }
  await eventually('the host', () => told()?.pid === host.pid, 15_000)
  const { port = 0, approver_port = 0 } = told() ?? {}
  const live = new LiveHost(place, { port, approverPort: approver_port } as Host)
  const approver = await live.approver()
  const client = await live.client()
  const line = `stty -opost; head -c ${bytes} /dev/zero | tr '\\0' x; printf ${END}`
  const id = client.command(line, { working_directory: place.work })
  approver.approve(await approver.question())
  const alive = setInterval(() => {
    approver.send({ type: 'heartbeat' })
    client.send({ type: 'heartbeat' })
  }, 1000)
  host.once('exit', () => clearInterval(alive))
  return { client, id }
}

/** How big the host gets, and how long somebody else waits for an answer, until the run is over. */
async function watch(
  host: ChildProcess,
  client: FakeClient,
  id: string,
): Promise<{ peakMb: number; slowestMs: number }> {
  let peakMb = 0
  let slowestMs = 0
  while (!client.heard.all.some(frame => frame.type === 'command_response' && frame.request_id === id)) {
    const asked = performance.now()
    const read = client.ask('read_output', { session_id: id, output: { view: 'tail', max_bytes: 1000 } })
    await client.heard.next('output', frame => frame.request_id === read, 60_000)
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - asked))
    peakMb = Math.max(peakMb, residentMb(host))
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return { peakMb, slowestMs }
}

function residentMb({ pid }: ChildProcess): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb ?? 0) / 1024)
}

const sizeOf = (directory: string): number =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map(name => statSync(join(directory, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
