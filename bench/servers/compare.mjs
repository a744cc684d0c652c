// Ours, the floor and the peers by turns, and the table of it.
import { availableParallelism, loadavg } from 'node:os'
import { markdownTable, SHOWN_AS } from './numbers.mjs'
import { openSession } from './session.mjs'

const TURN_LIMIT_MS = 5 * 60_000
/** A server that needs this long has no further turn. */
const SLOW_MS = 60_000

/**
 * Every turn goes once through all servers, each time beginning with another, so that a busy moment hits all of them.
 * Gives `samples(scenario, server)` and, for what failed, `failures`.
 */
export async function measureAll({ servers, scenarios, times, scratch, say }) {
  const samples = new Map()
  const failures = servers.filter(({ unable }) => unable).map(({ name, unable }) => `${name}: ${unable}`)
  const key = (scenario, server) => `${scenario.name} ${server.name}`
  const load = [loadavg()[0]]
  for (const scenario of scenarios) {
    const able = servers.filter(server => !server.unable && (!scenario.needs || server[scenario.needs]))
    const slow = new Set()
    for (const server of able) samples.set(key(scenario, server), [])
    for (let turn = 0; turn < (times ?? scenario.times); turn++)
      for (const server of [...able.slice(turn % able.length), ...able.slice(0, turn % able.length)]) {
        if (slow.has(server)) continue
        say(`${scenario.name} ${turn + 1}: ${server.name}`)
        const start = Date.now()
        try {
          samples.get(key(scenario, server)).push(await oneTurn(scenario, server, scratch))
        } catch (error) {
          failures.push(`${server.name}, ${scenario.name}: ${String(error.message).replace(/\s+/g, ' ').slice(0, 160)}`)
        }
        if (Date.now() - start > SLOW_MS) slow.add(server)
      }
  }
  load.push(loadavg()[0])
  return { samples: (scenario, server) => samples.get(key(scenario, server)), failures: [...new Set(failures)], load }
}

async function oneTurn(scenario, server, scratch) {
  const session = await openSession(server, scratch)
  let timer
  const tooLong = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('a turn took too long')), TURN_LIMIT_MS)
  })
  const measure = async () => {
    // What a server starts or loads at its first command belongs to no scenario.
    if (!scenario.isCold && (await session.run('true', { wantsExit: true })).exitCode !== 0)
      throw new Error('`true` did not succeed')
    return scenario.measure(session, { scratch })
  }
  try {
    return await Promise.race([measure(), tooLong])
  } finally {
    clearTimeout(timer)
    await session.close()
  }
}

/** One column for each server; ratios against the first, the floor. */
export function report({ servers, scenarios, measured }) {
  const [floor] = servers
  const figure = (row, samples) => (samples?.length > 0 ? row.of(samples) : null)
  const rows = scenarios.flatMap(scenario =>
    scenario.rows.map(row => [
      row.title,
      ...servers.map(server => {
        const samples = measured.samples(scenario, server)
        if (server.unable) return 'not installed'
        if (samples?.length === 0) return 'failed'
        return SHOWN_AS[row.as](figure(row, samples), figure(row, measured.samples(scenario, floor)))
      }),
    ]),
  )
  const [before, after] = measured.load.map(load => load.toFixed(1))
  const peers = servers.filter(({ version }) => version).map(each => `${each.package} ${each.version}`)
  const cores = availableParallelism()
  // Afterwards it is our own work that counts too.
  const isBusy = measured.load[0] > cores / 4
  return [
    markdownTable([['', ...servers.map(({ name }) => name)], ...rows]),
    '',
    `Times are multiples of the floor's, speeds shares of it. – : it has no tool for that.`,
    `Load ${before} before and ${after} after, on ${cores} cores${isBusy ? ': too busy for figures that mean something' : ''}.`,
    ...(peers.length > 0 ? [`Peers: ${peers.join(', ')}.`] : []),
    ...measured.failures.map(failure => `- ${failure}`),
  ].join('\n')
}
