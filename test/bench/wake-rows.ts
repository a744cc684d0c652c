import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { HostProcesses } from '../drivers/host-process.ts'
import { type RawServer, rawServer } from './raw-server.ts'

/** How long after something has happened an agent hears of it that waits for it with read_output, in both lanes. */
type Say = (text: string) => void

const TIMES = 25
/** The first ones load what the others need. */
const COLD = 3
const IDLE_MS = 1000

/** Does one thing a moment after it has begun, and says when: so that the wait for it is there before. */
const WAKER = `
const fs = require('node:fs')
const [what, port] = process.argv.slice(2)
const now = () => (performance.timeOrigin + performance.now()).toFixed(3)
const say = () => fs.writeSync(1, 'did it at ' + now() + '.\\n')
const ACTS = {
  line: say,
  exit: () => { say(); process.reallyExit(0) },
  file: () => { fs.writeFileSync('making.txt', now()); fs.renameSync('making.txt', 'out/made.txt') },
  folder: () => { fs.mkdirSync('out'); ACTS.file() },
  port: () => require('node:net').createServer().listen(Number(port), '127.0.0.1', () => fs.writeFileSync('opened.txt', now())),
}
require('node:net')
setTimeout(ACTS[what], 120)
setTimeout(() => {}, 60_000)
`

interface Wake {
  readonly does: 'line' | 'exit' | 'file' | 'folder' | 'port'
  readonly wait: object
  /** How long after it happened the wait is meant to end. */
  readonly meantMs?: number
  /** Where it wrote when that was; absent: in what it printed. */
  readonly file?: string
}

const PORT = 20_000 + (process.pid % 20_000)

const WAKES: Readonly<Record<string, Wake>> = {
  'a line with a text': { does: 'line', wait: { match: 'did it at' } },
  'a line that fits a pattern': { does: 'line', wait: { match: 'did it at \\d+' } },
  bytes: { does: 'line', wait: { bytes: 1 } },
  idle: { does: 'line', wait: { idle_ms: IDLE_MS }, meantMs: IDLE_MS },
  exit: { does: 'exit', wait: { until: 'exit' } },
  file: { does: 'file', wait: { file: 'out/made.txt' }, file: 'work/out/made.txt' },
  'file in a new folder': { does: 'folder', wait: { file: 'out/made.txt' }, file: 'work/out/made.txt' },
  port: { does: 'port', wait: { port: PORT }, file: 'work/opened.txt' },
}

/** The two tools, each in the fewest words. */
const LANES = {
  headless: {
    tool: 'memory_terminal',
    start: (args: readonly string[]) => ({ action: 'run', command: 'node', args, timeout_ms: 0 }),
    read: (session_id: string, wait: object) => ({ action: 'read_output', session_id, wait, cursor: 0 }),
    kill: (session_id: string) => ({ action: 'kill', session_id }),
  },
  interactive: {
    tool: 'memory_terminal_interactive',
    start: (args: readonly string[]) => ({
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      execution: { command: 'node', args },
      runtime: { timeout_ms: 0 },
    }),
    read: (session_id: string, wait: object) => ({
      action: 'read_output',
      target: { session_id },
      output: { wait, cursor: 0 },
    }),
    kill: (session_id: string) => ({ action: 'terminate', target: { session_id } }),
  },
} as const

export async function wakeRows(say: Say, only: readonly string[]): Promise<void> {
  const at = new HostProcesses()
  at.place.write('work/waker.cjs', WAKER)
  at.place.allow('node waker.cjs *')
  await at.start()
  await at.meet()
  const server = await rawServer(at.place)
  for (const lane of ['headless', 'interactive'] as const)
    for (const [name, wake] of Object.entries(WAKES)) {
      if (only.length > 0 && !only.some(part => name.includes(part) || lane === part)) continue
      const took: number[] = []
      for (let i = 0; i < TIMES + COLD; i++) took.push(await once(at, server, lane, wake))
      took.splice(0, COLD)
      took.sort((a, b) => a - b)
      say(`${lane}: ${name}: ${share(took, 0.5)} ms in the median, 95 % within ${share(took, 0.95)} ms`)
    }
  server.end()
  await at.close()
}

/** From the moment at which it happened to the whole answer. */
async function once(at: HostProcesses, server: RawServer, lane: keyof typeof LANES, wake: Wake): Promise<number> {
  const { tool, start, read, kill } = LANES[lane]
  for (const left of ['out', 'opened.txt']) rmSync(join(at.place.work, left), { recursive: true, force: true })
  if (wake.does === 'file') mkdirSync(join(at.place.work, 'out'))
  const began = await server.call(tool, start(['waker.cjs', wake.does, String(PORT)]))
  const session = /"session_id":"([^"]+)"/.exec(began)?.[1] ?? ''
  const answer = await server.call(tool, read(session, wake.wait))
  const now = performance.timeOrigin + performance.now()
  const woke = /"waited":"(\w+)"/.exec(answer)?.[1]
  const did = wake.file ? at.place.read(wake.file) : /did it at (\d+\.\d+)/.exec(answer)?.[1]
  if (woke === undefined || woke === 'deadline' || !did) throw new Error(`${began}\n${answer}`)
  await server.call(tool, kill(session))
  return now - Number(did) - (wake.meantMs ?? 0)
}

const share = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)
