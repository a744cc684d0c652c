// Reading in a log of 100 MB: a search for a pattern and for what is not there, the screen, and what other calls wait meanwhile.
// `node bench/read.mjs [times]`. The floor is `grep` over the same bytes, by turns.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/build.mjs'
import { freshness } from '../scripts/freshness.mjs'
import { bigFile } from './servers/big-file.mjs'
import { median } from './servers/numbers.mjs'
import { OURS } from './servers/own-servers.mjs'
import { openSession } from './servers/session.mjs'

const LINES = 1_000_000
const READS = [
  ['search, found at the end', { search: `L0*${LINES - 1}` }],
  ['search, nothing found', { search: 'L\\d+ y' }],
  ['screen', { format: 'screen' }],
  ['default answer', {}],
]

if (freshness(join(import.meta.dirname, '..')) !== 'fresh') await build({ quiet: true })
const scratch = mkdtempSync(join(tmpdir(), 'it-bench-'))
const times = Number(process.argv[2] ?? 5)
try {
  const file = bigFile(scratch, LINES)
  const session = await openSession(OURS, scratch)
  const { handle } = await session.run(`cat ${file}`, { patienceMs: 120_000 })
  const tookMs = new Map([...READS.map(([name]) => name), 'grep'].map(name => [name, []]))
  const meanwhileMs = []
  let largest = 0

  for (let turn = 0; turn < times; turn++) {
    for (const [name, more] of READS) {
      const read = clocked(async () => {
        const args = { action: 'read_output', session_id: handle, ...more }
        const { content } = await session.client.callTool({ name: 'memory_terminal', arguments: args })
        if (name === 'default answer') largest = Math.max(largest, Buffer.byteLength(content[0].text))
      })
      meanwhileMs.push(await clocked(() => session.run('true')))
      tookMs.get(name).push(await read)
    }
    tookMs.get('grep').push(await clocked(() => execFileSync('grep', ['-cE', `L0*${LINES - 1}`, file])))
  }

  const floor = median(tookMs.get('grep'))
  for (const [name, all] of tookMs)
    console.log(
      `${name}: ${median(all).toFixed(0)} ms, at most ${Math.max(...all).toFixed(0)} (${(median(all) / floor).toFixed(1)} × grep)`,
    )
  console.log(
    `another call meanwhile: ${median(meanwhileMs).toFixed(0)} ms, at most ${Math.max(...meanwhileMs).toFixed(0)}`,
  )
  console.log(`default answer: ${largest} bytes of text`)
  await session.close()
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(0)

async function clocked(act) {
  const start = performance.now()
  await act()
  return performance.now() - start
}
