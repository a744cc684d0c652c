#!/usr/bin/env node
// The benchmark: npm run bench -- [gate] [pty] [wake] [read] [window] [start] [growth] [memory] [servers] [--peers] [--only cold,true] [--times N] [--scratch folder]
//
//   nothing    every part; `servers` puts us beside a bare floor
//   --peers    `servers` with the peers that the registry has, installed into a scratch folder
//   --only     some scenarios of `servers`: cold, true, flight, fanout, line, big, kill, soak, correct
//   --times    turns of each scenario, instead of its own number
//   --scratch  a folder that is kept, so that the peers are installed once
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../scripts/build.mjs'
import { freshness } from '../scripts/freshness.mjs'
import { measureAll, report } from './servers/compare.mjs'
import { installPeers } from './servers/install-peers.mjs'
import { FLOOR, FLOOR_ON_SDK, OURS } from './servers/own-servers.mjs'
import { PEERS } from './servers/peers.mjs'
import { SCENARIOS } from './servers/scenarios.mjs'
import { endAllSessions } from './servers/session.mjs'

const root = resolve(import.meta.dirname, '..')
const PARTS = ['gate', 'pty', 'wake', 'read', 'window', 'start', 'growth', 'memory']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: 'boolean', default: false },
    only: { type: 'string' },
    times: { type: 'string' },
    scratch: { type: 'string' },
  },
})

/** An unknown name measures nothing: better said than skipped. */
function chosen(names, known) {
  const unknown = names.filter(name => !known.includes(name))
  if (unknown.length === 0) return names
  console.error(`unknown: ${unknown.join(', ')}. There are: ${known.join(', ')}`)
  process.exit(2)
}

async function compareServers() {
  const names = chosen(
    values.only?.split(',') ?? SCENARIOS.map(({ name }) => name),
    SCENARIOS.map(({ name }) => name),
  )
  const scenarios = SCENARIOS.filter(({ name }) => names.includes(name))
  const times = values.times === undefined ? undefined : Number(values.times)
  if (times !== undefined && !(times >= 1)) throw new Error('--times takes a number from 1')
  const say = text => console.error(text)
  if (freshness(root) !== 'fresh') await build({ quiet: true })
  const scratch = mkdtempSync(join(tmpdir(), 'it-bench-'))
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      endAllSessions()
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
      process.exit(1)
    })
  try {
    const folder = values.scratch ? resolve(values.scratch) : join(scratch, 'peers')
    mkdirSync(folder, { recursive: true })
    const peers = values.peers ? await installPeers(PEERS, folder, say) : []
    const servers = [FLOOR, FLOOR_ON_SDK, OURS, ...peers]
    const measured = await measureAll({ servers, scenarios, times, scratch, say })
    console.log(report({ servers, scenarios, measured }))
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

const wantsServers = values.peers || values.only !== undefined
const parts = chosen(positionals.length > 0 ? positionals : wantsServers ? ['servers'] : [...PARTS, 'servers'], [
  ...PARTS,
  'servers',
])
for (const part of parts) {
  if (part === 'servers') {
    await compareServers()
    continue
  }
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${part}.mjs`)], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
process.exit(0)
