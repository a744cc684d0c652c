import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Host } from '../../src/host/host.ts'
import { LiveHost } from '../drivers/live-host.ts'
import { Place } from '../drivers/place.ts'

const TIMES = 10
const LONGEST_MS = 60_000

/**
 * How long somebody waits who types `npm start` where everything is built: from the start of the process to `hello_ack`.
 * Beside it what this machine takes to start Node at all, and npm.
 *
 * @param root a copy of the repository that is built, and whose host runs on this machine
 */
export async function startRows(say: (text: string) => void, root: string): Promise<void> {
  const node = await median(() => ended(process.execPath, ['-e', '0'], root))
  const npm = await median(() => ended('npm', ['run', '--silent', 'nothing'], root))
  const direct = await median(() => answered(process.execPath, ['scripts/start.mjs'], root))
  const whole = await median(() => answered('npm', ['start', '--silent'], root))
  say(`node -e 0                          ${node.toFixed(0)} ms`)
  say(`npm run (of node -e 0)             ${npm.toFixed(0)} ms`)
  say(`node scripts/start.mjs to hello    ${direct.toFixed(0)} ms, ${(direct / node).toFixed(1)} times Node alone`)
  say(`npm start to hello                 ${whole.toFixed(0)} ms, ${(whole / npm).toFixed(1)} times npm run alone`)
}

async function median(measure: () => Promise<number>): Promise<number> {
  const seen: number[] = []
  for (let i = 0; i < TIMES; i++) seen.push(await measure())
  seen.sort((a, b) => a - b)
  return ((seen[TIMES / 2 - 1] ?? 0) + (seen[TIMES / 2] ?? 0)) / 2
}

async function ended(command: string, args: readonly string[], cwd: string, env = process.env): Promise<number> {
  const began = performance.now()
  await once(spawn(command, args, { cwd, stdio: 'ignore', env }), 'exit')
  return performance.now() - began
}

async function answered(command: string, args: readonly string[], cwd: string): Promise<number> {
  const place = new Place()
  const env = place.env({ PM_TERM_HTTP_PORT: '0', PATH: process.env.PATH ?? '' })
  // Whoever starts it has run `npm ci` before: only the very first npm of a home takes longer.
  await ended('npm', ['run', '--silent', 'nothing'], cwd, env)
  const began = performance.now()
  const child = spawn(command, args, { cwd, stdio: 'ignore', env, detached: true })
  try {
    while (place.read('home/state/host.json') === '') {
      if (performance.now() - began > LONGEST_MS || child.exitCode !== null) throw new Error('no host came up')
      await pause(2)
    }
    const { port, approver_port } = JSON.parse(place.read('home/state/host.json')) as Record<string, number>
    const live = new LiveHost(place, { port, approverPort: approver_port, close: async () => {} } as unknown as Host)
    const client = await live.client()
    const took = performance.now() - began
    client.link.close('measured')
    return took
  } finally {
    await end(child)
    place.remove()
  }
}

/** With all that it started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await gone
}
