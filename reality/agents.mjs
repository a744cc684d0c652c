#!/usr/bin/env node
// Real agents against the product: npm run reality:agents [-- claude codex …]
// Pinned agents from the registry, one fixed working day each, in a network and process namespace of its own. Prints one table and
// writes it into docs/clients.md. AGENTS_CACHE: where agents are kept between runs (about 2 GB).
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/build.mjs'
import { copyAsTestProduct } from '../scripts/test-product.mjs'
import { AgentCache } from './agent-install.mjs'
import { AGENTS } from './agent-kinds.mjs'
import { tableOf, worseThanBefore, writePage } from './clients-page.mjs'

const root = join(import.meta.dirname, '..')
const named = process.argv.slice(2)
const unknown = named.filter(name => !(name in AGENTS))
if (unknown.length > 0) {
  console.error(`There is no agent ${unknown.join(', ')}. There are ${Object.keys(AGENTS).join(', ')}.`)
  process.exit(2)
}
const cache = new AgentCache()
await cache.tokenizer()
await build({ quiet: true })
// The product, but for the part that sees a container: this machine may be one. A copy, so that no other build changes it meanwhile.
const copy = join(root, 'node_modules/.cache/reality-agents')
rmSync(copy, { recursive: true, force: true })
const product = copyAsTestProduct(join(root, 'dist'), join(copy, 'dist-test'))
const days = []
for (const name of named.length > 0 ? named : Object.keys(AGENTS)) {
  cache.agent(name, AGENTS[name])
  // Always the same place: its path is part of what a model is told. Not a temporary one: agents put programs of theirs on the PATH,
  // and nothing runs unasked where those lie in a place that anybody can write to.
  const place = join(homedir(), `it-day-${name}`)
  const result = join(place, 'day.json')
  rmSync(place, { recursive: true, force: true, maxRetries: 10 })
  mkdirSync(place, { mode: 0o700 })
  const inside = [process.execPath, join(root, 'reality/agent-day.mjs'), name, place, result, product]
  spawnSync(join(root, 'test/netns/in-netns.sh'), inside, { stdio: ['ignore', 'inherit', 'inherit'], timeout: 900_000 })
  const day = JSON.parse(readFileSync(result, 'utf8'))
  days.push(day)
  console.log(`${AGENTS[name].title}: ${day.right} of ${day.calls} calls right, ${day.seconds} s`)
  for (const line of [
    ...day.wrong,
    ...day.missed,
    ...day.processesLeft,
    ...day.ownShell.map(name => `its own ${name} is still offered`),
    ...(day.failure ? [day.failure] : []),
  ])
    console.log(`  ${line}`)
  if (!process.env.DAY_KEEPS) rmSync(place, { recursive: true, force: true, maxRetries: 10 })
}
console.log(tableOf(days))
const worse = worseThanBefore(days)
if (worse.length > 0)
  console.log(`WORSE than docs/clients.md says, which stays (DAY_ACCEPTS=1 writes it):\n  ${worse.join('\n  ')}`)
const whole = days.every(({ failure }) => failure === null)
// A part of a day is for finding faults; it says nothing.
const isBetter = worse.length === 0 || process.env.DAY_ACCEPTS === '1'
if (whole && isBetter && !process.env.DAY_PARTS) writePage(days)
process.exitCode = whole && worse.length === 0 ? 0 : 1
