import { spawn as spawnProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { randomIds } from '../../src/base/ids.ts'
import { ownPtys } from '../../src/pty-host/lossless-pty.ts'
import { spawnedPtys } from '../../src/pty-host/spawned-pty.ts'
import { probeHere, WaitProbe } from '../../src/pty-host/waiting/wait-probe.ts'
import { openJournal } from '../../src/runs/journal/journal.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import { LivePtyHosts, run } from '../drivers/live-pty-host.ts'
import { keeper, silentLog } from '../drivers/starters.ts'
import { rawServer } from './raw-server.ts'

/** Rows about terminals, each beside the floor of this machine, measured in the same run. */
type Say = (text: string) => void

const MB = 1024 * 1024
const ids = randomIds()

const ROWS: Readonly<Record<string, (say: Say) => Promise<void>>> = {
  small: smallCommand,
  big: bigOutput,
  many: manyTerminals,
  runs: manyRuns,
  probe: waitProbe,
}

export async function ptyRows(say: Say, wanted: readonly string[]): Promise<void> {
  for (const [name, row] of Object.entries(ROWS)) if (wanted.length === 0 || wanted.includes(name)) await row(say)
}

const ROUNDS = 8
/** A host is started once a day, and is measured as it is then most of the day. */
const WARM_RUNS = 200
/** The first of each turn, here and of the floor: what they need has left the caches during the other's turn. */
const COLD = 5

/** MCP client → server → host → pty-host → exit, and back; the floor and ours by turns, because a machine is never as quiet twice. */
async function smallCommand(say: Say): Promise<void> {
  const roundTripMs = await roundTrip()
  say(`floor: a frame there and back ${roundTripMs.toFixed(2)} ms`)
  const at = new HostProcesses()
  await at.start()
  await at.meet()
  const server = await rawServer(at.place)
  const check = async (execution: Record<string, unknown>) => {
    const invocation = { mode: 'interactive', intent: 'execute_command' }
    const answer = await server.call('memory_terminal_interactive', { action: 'execute', invocation, execution })
    if (!answer.includes('"exit_code":0')) throw new Error(answer)
  }
  for (const [name, args, ...floor] of [
    ['true as argv', { command: 'true', args: [] }, '/bin/true'],
    ['true as a line', { command: 'true' }, '/bin/bash', '--noprofile', '--norc', '-c', 'true'],
  ] as const) {
    await timed(WARM_RUNS, () => check(args))
    const bareTimes: number[] = []
    const ours: number[] = []
    for (let i = 0; i < ROUNDS; i++) {
      bareTimes.push(...(await bare('spawn', ...floor)))
      ours.push(...(await timed(30 + COLD, () => check(args))).slice(COLD))
    }
    const took = median(ours)
    const against = median(bareTimes) + roundTripMs
    say(
      `interactive ${name}, end to end: ${took.toFixed(2)} ms, ${(took / against).toFixed(2)} × ${against.toFixed(2)} ms (bare PTY and round trip)`,
    )
  }
  server.end()
  await at.close()
}

/** Nobody has that terminal, so it is answered at once: a frame there and back, and nothing else. */
async function roundTrip(): Promise<number> {
  const at = await new LivePtyHosts().start()
  const link = await at.link()
  let heard = () => {}
  link.onFrame(() => heard())
  const answered = (frame: object) =>
    new Promise<void>(resolve => {
      heard = resolve
      link.send(frame)
    })
  await answered({ type: 'hello', protocol_version: 2, host_id: 'host_bench', host_pid: process.pid })
  const times = await timed(300, () => answered({ type: 'kill', pty_id: 'pty_none', grace_ms: 0 }))
  at.close()
  return median(times)
}

/** Whether a program waits for input: with the spawner, and with a program that is started to ask, by turns. */
async function waitProbe(say: Say): Promise<void> {
  // A spawner does not keep whoever uses it alive.
  const awake = setInterval(() => {}, 1000)
  const kept = keeper()
  const start = spawnedPtys(kept, ownPtys(systemClock), silentLog)
  const env = { PATH: '/usr/bin:/bin' }
  const pty = await start({ executable: '/bin/cat', args: [], cwd: '/', env, cols: 80, rows: 24 }, () => {})
  const here = probeHere(process.platform)
  const { pid } = pty
  const ways = { 'by the spawner': pty, 'by stty': { pid } }
  const took: Record<string, number[]> = {}
  for (let i = 0; i < 40; i++)
    for (const [way, at] of Object.entries(ways)) {
      // A new one each time: it remembers what it was told.
      const probe = new WaitProbe(here, at)
      took[way] = [...(took[way] ?? []), ...(await timed(1, () => probe.look('')))]
    }
  for (const [way, times] of Object.entries(took))
    say(`wait_state, ${way}: ${median(times).toFixed(2)} ms in the median`)
  process.kill(-pid, 'SIGKILL')
  await pty.ended
  kept.dispose()
  clearInterval(awake)
}

async function bigOutput(say: Say): Promise<void> {
  const at = new HostProcesses()
  await at.start()
  const { client } = await at.meet()
  const line = "stty -opost; head -c 104857600 /dev/zero | tr '\\0' x"
  const floor: number[] = []
  const ours: number[] = []
  for (let i = 0; i < 4; i++) {
    floor.push(...(await bare('read')))
    const before = performance.now()
    const { output_bytes, lost_bytes } = await client.response(at.line(client, line), 60_000)
    ours.push(performance.now() - before)
    if (output_bytes !== 100 * MB || lost_bytes) throw new Error(`${output_bytes} bytes came, ${lost_bytes} were lost`)
  }
  const share = ((median(floor) / median(ours)) * 100).toFixed(0)
  say(
    `100 MB through a terminal into its log: ${median(ours).toFixed(0)} ms, ${share} % of a bare PTY reader (${median(floor).toFixed(0)} ms)`,
  )
  for (const what of ['host', 'pty-host'] as const)
    say(`most memory of ${what} meanwhile: ${(mostMemory(at.told(what)?.pid ?? 0) / MB).toFixed(0)} MB`)
  await at.close()
}

async function manyTerminals(say: Say): Promise<void> {
  const at = await new LivePtyHosts().start()
  const { client } = await at.host()
  const before = performance.now()
  const all = await Promise.all(Array.from({ length: 100 }, () => run(client, at.command('seq 1 100000'))))
  const took = performance.now() - before
  const whole = all.filter(({ pty }) => pty.output.size === 688_895 && pty.output.lost === 0).length
  say(
    `100 terminals printing 0.7 MB each at once: ${took.toFixed(0)} ms, ${whole} of 100 whole, pty-host ${(mostMemory(at.pty.pid) / MB).toFixed(0)} MB`,
  )
  at.close()
}

/** A day on which 10,000 commands ran. */
async function manyRuns(say: Say): Promise<void> {
  const at = new HostProcesses()
  const runs = await fill(at, 10_000)
  await at.start()
  const { client } = await at.meet()
  const list = () => {
    const request = client.ask('list')
    return client.heard.next('listed', frame => frame.request_id === request)
  }
  const read = (session_id: string) => {
    const request = client.ask('read_output', { session_id })
    return client.heard.next('output', frame => frame.request_id === request)
  }
  let next = 0
  const another = () => {
    next += 97
    return runs[next % runs.length] ?? ''
  }
  const listed = await timed(40, list)
  const found = await timed(100, () => read(another()))
  say(
    `10,000 finished runs: list ${median(listed).toFixed(1)} ms (first ${listed[0]?.toFixed(1)}), read_output ${median(found).toFixed(1)} ms (first ${found[0]?.toFixed(1)})`,
  )
  await at.close()
}

async function fill(at: HostProcesses, count: number): Promise<string[]> {
  const now = Date.now()
  const server = { id: ids.make('host'), pid: 1, start: 'gone' }
  const directory = join(at.place.home, 'state/runs', new Date(now).toISOString().slice(0, 10), server.id)
  mkdirSync(directory, { recursive: true })
  const journal = await openJournal(join(at.place.home, 'state/journal.db'), () => now)
  const runs = Array.from({ length: count }, () => ids.make('req'))
  const lines = runs.flatMap((id, i) => {
    const output = join(directory, `run-${id}`)
    if (i % 10 === 0) {
      mkdirSync(output)
      writeFileSync(join(output, '000000000000000.log'), `output of ${id}\n`)
    }
    journal.append({ kind: 'received', requester: 'local', runId: id, body: { payload_hash: id } })
    journal.append({ kind: 'ended', requester: 'local', runId: id, body: { state: 'exited' } })
    const at_ = now - count + i
    return [
      {
        type: 'opened',
        v: 1,
        id,
        trace_id: 't',
        client_request_id: null,
        requester: 'local',
        lane: 'interactive',
        adapter: 'host_bridge_local',
        terminal_id: 'term_1',
        command: `npm test ${i}`,
        args: null,
        cwd: at.place.work,
        workspace_id: null,
        env_names: [],
        payload_hash: id,
        server,
        at: at_,
      },
      { type: 'started', id, pid: 9, start: 'gone', mark: `M=${id}`, executable: '/bin/bash', plan_hash: 'p', at: at_ },
      {
        type: 'ended',
        id,
        state: 'exited',
        at: at_,
        started_at: at_,
        took_ms: 3,
        exit_code: 0,
        signal: null,
        ended_by: null,
        why: null,
        destructive: false,
        survivors: [],
        output_bytes: i % 10 === 0 ? 11 + id.length : 0,
        lost_bytes: 0,
        drained: true,
      },
    ]
  })
  writeFileSync(join(directory, 'ledger.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  writeFileSync(join(directory, 'closed'), '')
  journal.close()
  return runs
}

/** The floor in a process of its own: a small one, because a large one starts others more slowly. */
function bare(what: 'spawn' | 'read', ...argv: readonly string[]): Promise<number[]> {
  const script = `
    const { spawn } = require('@lydell/node-pty')
    const [what, file, ...args] = process.argv.slice(1)
    const once = () => new Promise(resolve => {
      const began = process.hrtime.bigint()
      const pty = what === 'spawn' ? spawn(file, args, { encoding: null })
        : spawn('/bin/bash', ['-c', "stty -opost; head -c 104857600 /dev/zero | tr '\\\\0' x"], { encoding: null })
      pty.onData(() => {})
      pty.onExit(() => resolve(Number(process.hrtime.bigint() - began) / 1e6))
    })
    ;(async () => {
      const times = []
      for (let i = 0; i < (what === 'spawn' ? ${30 + COLD} : 1); i++) times.push(await once())
      process.stdout.write(JSON.stringify(times.slice(what === 'spawn' ? ${COLD} : 0)))
    })()`
  return new Promise((resolve, reject) => {
    const child = spawnProcess(process.execPath, ['-e', script, what, ...argv], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', chunk => {
      said += chunk
    })
    child.once('exit', code =>
      code === 0 ? resolve(JSON.parse(said) as number[]) : reject(new Error(`the floor ended with ${code}`)),
    )
  })
}

async function timed(times: number, act: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const before = systemClock.elapsed()
    await act()
    took.push(systemClock.elapsed() - before)
  }
  return took
}

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0

const mostMemory = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
