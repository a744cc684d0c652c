import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HostProcesses, type Met, readAll } from '../drivers/host-process.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { eventually, isAlive } from '../drivers/mcp-client.ts'
import { Random } from '../fuzz/random.ts'

/**
 * Kills the host, pty-host or both at a random moment while commands print, again and again, and looks each time whether
 * what is told is true: every byte of what ended, a true beginning of what was lost, nothing twice, nothing that was told
 * not to have run, and a journal that is sound.
 */
export interface Campaign {
  readonly rounds: number
  readonly minutes: number
  readonly seed: number
  readonly say: (text: string) => void
}

type Victim = 'host' | 'pty-host' | 'both'

interface Job {
  readonly id: string
  readonly name: string
  readonly line: string
  readonly printed: string
  readonly exitCode: number
}

interface HowItWent {
  readonly state: string
  readonly exitCode: number | null
  readonly text: string
}

const JOBS = 6
const MOST_PTY_HOST_KILLS = 4
const A_MINUTE_MS = 60_000

export async function campaign({ rounds, minutes, seed, say }: Campaign): Promise<boolean> {
  const random = new Random(seed)
  const at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', PM_TERM_LOG_LEVEL: 'warn' })
  const until = performance.now() + minutes * A_MINUTE_MS
  const counts: Record<string, number> = { rounds: 0, runs: 0, bytes: 0 }
  const count = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by
  }
  const problems: string[] = []
  let ptyHostKills: number[] = []
  let before: Victim = 'host'
  try {
    await at.start()
    let met = await at.meet()
    for (let round = 1; round <= rounds && performance.now() < until && problems.length === 0; round++) {
      const jobs = Array.from({ length: JOBS }, (_, i) => jobOf(random, `r${round}n${i}`))
      const victim = chosen(random, ptyHostKills.length < MOST_PTY_HOST_KILLS)
      for (const { id, line } of jobs) at.line(met.client, line, { request_id: id })
      await pause(random.below(600))
      await strike(at, victim)
      if (victim !== 'host') ptyHostKills.push(performance.now())
      ptyHostKills = victim === 'pty-host' ? ptyHostKills.filter(when => performance.now() - when < A_MINUTE_MS) : []
      if (victim !== 'pty-host') {
        // Sometimes the next one dies too, before it is ready or right after.
        if (random.below(4) === 0) await dieEarly(at, random)
        await at.start()
        met = await at.meet()
      }
      for (const job of jobs) {
        const told = await howItWent(met, job, at)
        const ran = timesRan(at, job)
        // Killed at the end of the last round, a pty-host may have got these before the host noticed.
        const ptyHostDied = victim !== 'host' || before === 'pty-host'
        const wrong = wrongWith(job, told, ran, ptyHostDied)
        problems.push(...wrong.map(each => `round ${round}, ${victim} killed, ${before} before: ${each}`))
        count(told.state)
        count('bytes', told.text.length)
        count('runs')
      }
      before = victim
      count(`killed ${victim}`)
      count('rounds')
      if (round % 10 === 0 || problems.length > 0) {
        const { said, code } = await at.cli(['verify'])
        if (code !== 0) problems.push(`round ${round}: ${said}`)
        say(`${JSON.stringify(counts)} seed ${seed}`)
      }
    }
    const { said, code } = await at.cli(['verify'])
    if (code !== 0) problems.push(said)
    say(said.trim())
  } finally {
    const ptyHost = at.told('pty-host')?.pid ?? -1
    if (problems.length > 0) say(`pty-host.log:\n${at.place.read('home/state/pty-host.log').slice(-3000)}`)
    if (problems.length > 0) say(`host.log:\n${at.place.read('host.log').slice(-3000)}`)
    await at.close()
    await eventually('pty-host ends with its host', () => !isAlive(ptyHost)).catch(() =>
      problems.push(`pty-host ${ptyHost} lives on after an orderly end`),
    )
  }
  const left = leftOver()
  if (left.length > 0) problems.push(`processes are left over: ${left.join(', ')}`)
  for (const problem of problems) say(problem)
  say(`${problems.length === 0 ? 'nothing was lost, doubled or told wrongly' : 'FAILED'}: ${JSON.stringify(counts)}`)
  return problems.length === 0
}

/** A command whose every byte is known. It notes that it ran before it prints anything. */
function jobOf(random: Random, name: string): Job {
  const lines = 1 + random.below(random.below(3) === 0 ? 20_000 : 300)
  const exitCode = random.below(100)
  const wait = random.below(2) === 0 ? `sleep 0.${random.below(9)}; ` : ''
  const half = Math.floor(lines / 2)
  const line = `/bin/echo ${name} >> ran; seq -f '${name} %.0f' 1 ${half}; ${wait}seq -f '${name} %.0f' ${half + 1} ${lines}; exit ${exitCode}`
  const printed = Array.from({ length: lines }, (_, i) => `${name} ${i + 1}\r\n`).join('')
  return { id: `soak-${name}-${random.below(2 ** 30)}`, name, line, printed, exitCode }
}

function chosen(random: Random, ptyHostToo: boolean): Victim {
  const dice = random.below(10)
  return !ptyHostToo || dice < 5 ? 'host' : dice < 8 ? 'pty-host' : 'both'
}

async function strike(at: HostProcesses, victim: Victim): Promise<void> {
  const pids = victim === 'both' ? (['host', 'pty-host'] as const) : ([victim] as const)
  for (const what of pids) await at.kill(what).catch(() => {}) // not there yet, or just being replaced
}

async function dieEarly(at: HostProcesses, random: Random): Promise<void> {
  const starting = at.start().catch(() => null)
  await pause(random.below(500))
  at.killNewest()
  await Promise.race([starting, pause(100)])
}

/** How a run stands once it is over, asked until somebody can say. */
async function howItWent(met: Met, { id, line }: Job, at: HostProcesses): Promise<HowItWent> {
  const over = await untilOver(met.client, id)
  if (over === 'unknown') return { state: 'unknown', exitCode: null, text: '' }
  const { text, page } = await readAll(met.client, id)
  // The same request again finds the same run.
  at.line(met.client, line, { request_id: id })
  const again = await met.client.response(id, 20_000)
  if (again.state !== page.state)
    throw new Error(`${id} is ${page.state}, and ${again.state} when it is asked for again`)
  return { state: page.state, exitCode: page.exit_code ?? null, text }
}

async function untilOver(client: FakeClient, session_id: string): Promise<'over' | 'unknown'> {
  const request = client.ask('read_output', {
    session_id,
    output: { wait_for: 'exit', wait_ms: 30_000, max_bytes: 256 },
  })
  const fits = (frame: { request_id?: string | undefined }) => frame.request_id === request
  const answered = client.heard.next('output', fits, 35_000).then(({ running }) => {
    if (running) throw new Error(`${session_id} does not end`)
    return 'over' as const
  })
  const refused = client.heard.next('error', fits, 35_000).then(() => 'unknown' as const)
  answered.catch(() => {})
  refused.catch(() => {})
  return Promise.race([answered, refused])
}

const timesRan = (at: HostProcesses, { name }: Job): number =>
  at.place
    .read('work/ran')
    .split('\n')
    .filter(line => line === name).length

function wrongWith({ name, printed, exitCode }: Job, told: HowItWent, ran: number, ptyHostDied: boolean): string[] {
  const wrong: string[] = []
  const { state, text } = told
  if (ran > 1) wrong.push(`${name} ran ${ran} times`)
  if (state === 'exited') {
    if (told.exitCode !== exitCode) wrong.push(`${name} exited with ${told.exitCode}, not ${exitCode}`)
    if (text !== printed) wrong.push(`${name} printed ${printed.length} bytes, ${text.length} are told`)
    if (ran !== 1) wrong.push(`${name} is told to have ended but did not run`)
  } else if (state === 'lost') {
    if (!ptyHostDied) wrong.push(`${name} is lost though pty-host lived`)
    if (!printed.startsWith(text)) wrong.push(`${name} was lost, and what is told is not what it printed`)
  } else if (['failed', 'withdrawn', 'unknown', 'blocked'].includes(state)) {
    if (ran > 0) wrong.push(`${name} is ${state}, but it ran`)
  } else wrong.push(`${name} is ${state}`)
  return wrong
}

/** Whatever carries a mark of one of our runs. */
function leftOver(): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        return readFileSync(join('/proc', pid, 'environ'), 'latin1').includes('INTERACTIVE_TERMINAL_RUN=soak-')
      } catch {
        return false // gone, or not ours to look at
      }
    })
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
