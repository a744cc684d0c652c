import { networkInterfaces } from 'node:os'
import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Configuration } from '../../config/settings.ts'
import { gatewaysOf } from '../../host/clients/bridge-listener.ts'
import { Pairings } from '../../host/clients/pairings.ts'
import { bridgeDialer } from '../../mcp/host-link/bridge-dialer.ts'
import { shakeHands } from '../../mcp/host-link/host-connection.ts'
import { chooseLane, nobodyFromHere, usualHostLane, type Whereabouts } from '../../mcp/host-link/lane.ts'

const silent = () => {}
const quiet: Log = { debug: silent, info: silent, warn: silent, error: silent }

/** Outside: who may come in, and where they would call. In a container: the whole way to the host, really gone. */
export function bridgeCheck({ settings, paths }: Configuration, place: Whereabouts): Promise<string> | string {
  if (usualHostLane(settings, place) === 'container_bridge_to_host') return reachHost(settings, place)
  const paired = new Pairings(paths.keysDir).list().map(({ name }) => name)
  const address = settings.PM_TERM_BRIDGE_ADDRESS
  const port = settings.PM_INTERACTIVE_TERMINAL_HOST_PORT
  const gateways = gatewaysOf(networkInterfaces())
  if (paired.length === 0) return 'nobody is paired, so no container comes in'
  const where =
    address === 'off'
      ? 'the bridge is off'
      : address !== 'auto'
        ? `they call ${address}:${port}`
        : gateways.length === 0
          ? `no container network is up now; its gateway is taken when it comes, on port ${port}`
          : `they call ${gateways.map(each => `${each}:${port}`).join(', ')}`
  return `paired: ${paired.join(', ')}; ${where}`
}

/** Whether somebody can be asked from this machine at all. */
export function containerCheck({ settings }: Configuration, place: Whereabouts): string {
  const { inContainer, why } = place.container
  if (inContainer === 'no') return 'no'
  if (inContainer === 'unsure')
    return `unsure: ${why.join('; ')}. If this is a container, nobody may be in front of it: see docs/containers.md`
  if (place.hostIsHere()) return `yes (${why.join('; ')}); host in a container: a person has made it their machine`
  if (usualHostLane(settings, place) === 'host_bridge_local') throw nobodyFromHere(place)
  return `yes (${why.join('; ')}); the host is outside, over the bridge`
}

async function reachHost(settings: Configuration['settings'], place: Whereabouts): Promise<string> {
  chooseLane('interactive', undefined, settings, place)
  const ids = randomIds()
  const clock = systemClock
  const withinMs = settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS
  const about = { capabilities: [], trace_id: ids.make('trace'), runtime_session_id: ids.make('ses') }
  const greet = (link: Parameters<typeof shakeHands>[0]) => shakeHands(link, about, { clock, withinMs })
  // Neither timers nor sockets of ours keep the process alive.
  const awake = setInterval(() => {}, 1000)
  try {
    const reach = bridgeDialer(settings, { clock, log: quiet, greet })
    const asked = { choice: 'local_or_bundled_auto', binaryPath: null, launch: 'never' } as const
    const { connection } = await reach(asked, new AbortController().signal)
    const { identity, host, approvers } = connection.ack
    connection.goodbye('only a question')
    return `the host answers (version ${host.version}), we are "${identity}" there, ${approvers} can be asked`
  } finally {
    clearInterval(awake)
  }
}
