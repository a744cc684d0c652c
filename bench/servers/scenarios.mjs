// What is measured. Each turn of a scenario has a server of its own, freshly started; `measure` gives one sample, and the rows
// of the table are made of all samples of one server: `of(samples)`, shown as numbers.mjs says.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bigFile, linesRead } from './big-file.mjs'
import { CORRECTNESS } from './correctness.mjs'
import { KILLS } from './kills.mjs'
import { median } from './numbers.mjs'

const repeat = async (times, act) => {
  const results = []
  for (let i = 0; i < times; i++) results.push(await act(i))
  return results
}
const clocked = async act => {
  const start = performance.now()
  await act()
  return performance.now() - start
}
const medianOf = field => samples => median(samples.map(sample => sample[field]))
const pooledMedianOf = field => samples => median(samples.flatMap(sample => sample[field]))
const mostOf = field => samples => Math.max(...samples.map(sample => sample[field]))

const BIG_LINES = 1_000_000
const ABREAST = 16
const SLEEPERS = 200
const TICKS = { lines: 40, gapMs: 50 }
const SOAK = { warmUp: 200, quarter: 500 }

export const SCENARIOS = [
  {
    name: 'cold',
    times: 11,
    isCold: true,
    measure: async ({ readyMs, readyCpuMs }) => ({ readyMs, readyCpuMs }),
    rows: [
      { title: 'cold start to `tools/list`', as: 'ratio', of: medianOf('readyMs') },
      { title: '… processor time', as: 'ratio', of: medianOf('readyCpuMs') },
    ],
  },
  {
    name: 'true',
    times: 7,
    async measure(session) {
      const once = () => clocked(() => session.run('true'))
      await repeat(10, once)
      let tookMs
      const busyMs = await session.busyMs(async () => {
        tookMs = await repeat(60, once)
      })
      return { tookMs, busyMs }
    },
    rows: [
      { title: '`true`, median', as: 'ratio', of: pooledMedianOf('tookMs') },
      { title: '… processor time of the server', as: 'ratio', of: medianOf('busyMs') },
    ],
  },
  {
    name: 'flight',
    times: 7,
    async measure(session) {
      const abreast = times =>
        Promise.all(Array.from({ length: ABREAST }, () => repeat(times, () => session.run('true'))))
      await abreast(1)
      let tookMs
      const busyMs = await session.busyMs(async () => {
        tookMs = await clocked(() => abreast(10))
      })
      return { perSecond: (ABREAST * 10 * 1000) / tookMs, busyMs }
    },
    rows: [
      { title: `${ABREAST} in flight, runs/s`, as: 'share', of: medianOf('perSecond') },
      { title: '… processor time of the server', as: 'ratio', of: medianOf('busyMs') },
    ],
  },
  {
    name: 'fanout',
    times: 3,
    async measure(session) {
      let failed = 0
      const one = async (_, i) => {
        // The quotes: a terminal that echoes the line must not be taken for its output.
        const outcome = await session.run(`sleep 2; echo do""ne-${i}.`, { pollMs: 100 }).catch(() => null)
        if (!outcome?.stdout.includes(`done-${i}.`)) failed++
      }
      const tookMs = await clocked(() => Promise.all(Array.from({ length: SLEEPERS }, one)))
      // To fail is quickly done.
      return { tookMs: failed > 0 ? null : tookMs, failed }
    },
    rows: [
      { title: `${SLEEPERS} × \`sleep 2\` at once`, as: 'ratio', of: medianOf('tookMs') },
      { title: '… failed', as: 'plain', of: mostOf('failed') },
    ],
  },
  {
    name: 'line',
    times: 3,
    needs: 'more',
    async measure(session) {
      const ticker = join(import.meta.dirname, 'ticker.mjs')
      const handle = await session.begin(`${process.execPath} ${ticker} ${TICKS.lines} ${TICKS.gapMs}`)
      const seen = new Set()
      const delaysMs = []
      let returned = 0
      let ended = false
      const until = Date.now() + TICKS.lines * TICKS.gapMs + 8_000
      while (seen.size < TICKS.lines && !ended && Date.now() < until) {
        const more = await session.more(handle)
        const now = performance.timeOrigin + performance.now()
        ended = more.ended
        for (const [, number, printedAt] of more.text.matchAll(/tick (\d+) at (\d+\.\d+)\./g)) {
          returned++
          if (!seen.has(number)) delaysMs.push(now - Number(printedAt))
          seen.add(number)
        }
        if (session.server.pollMs) await sleep(session.server.pollMs)
      }
      return { delaysMs, lost: TICKS.lines - seen.size, timesReturned: returned / Math.max(1, seen.size) }
    },
    rows: [
      { title: 'a printed line until it is read', as: 'ratio', of: pooledMedianOf('delaysMs') },
      { title: '… how often each is returned', as: 'plain', of: medianOf('timesReturned') },
      { title: `… lost of ${TICKS.lines}`, as: 'plain', of: mostOf('lost') },
    ],
  },
  {
    name: 'big',
    times: 3,
    async measure(session, { scratch }) {
      const file = bigFile(scratch, BIG_LINES)
      let outcome
      const tookMs = await clocked(async () => {
        outcome = await session.run(`cat ${file}`, { patienceMs: 300_000, pollMs: 20 }).catch(() => null)
      })
      const peakMb = session.peakMb()
      const { share, hasLast } = await linesRead(session, outcome, BIG_LINES)
      // A command that was stopped at a limit has no speed.
      return { perSecond: hasLast ? 1000 / tookMs : null, peakMb, readable: Math.floor(1000 * share) / 10 }
    },
    rows: [
      { title: '100 MB printed, speed', as: 'share', of: medianOf('perSecond') },
      { title: '… most memory, MB', as: 'plain', of: medianOf('peakMb') },
      { title: '… how much can be read, %', as: 'plain', of: medianOf('readable') },
    ],
  },
  KILLS,
  {
    name: 'soak',
    times: 1,
    async measure(session) {
      let failed = 0
      const batch = times =>
        repeat(times, async () => {
          const outcome = await session.run('seq 1 200').catch(() => null)
          if (!outcome?.stdout.includes('200')) failed++
        })
      await batch(SOAK.warmUp)
      const before = session.descriptors()
      // Memory still settles in the first half.
      await batch(2 * SOAK.quarter)
      const half = session.rssMb()
      await batch(2 * SOAK.quarter)
      return { failed, descriptors: session.descriptors() - before, grownMb: session.rssMb() - half }
    },
    rows: [
      { title: '2,000 commands, descriptors left', as: 'plain', of: mostOf('descriptors') },
      { title: '… RSS grown in the last 1,000, MB', as: 'plain', of: mostOf('grownMb') },
      { title: '… failed', as: 'plain', of: mostOf('failed') },
    ],
  },
  CORRECTNESS,
]
