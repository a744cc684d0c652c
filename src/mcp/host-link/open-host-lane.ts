import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import type { Link } from '../../base/link/link.ts'
import type { Log } from '../../base/log.ts'
import type { Configuration } from '../../config/settings.ts'
import { askerFrom } from '../../contract/wire/asker-words.ts'
import type { ClientInfo } from '../server/mcp-server.ts'
import { bridgeDialer } from './bridge-dialer.ts'
import { type AdapterDeps, HostAdapter } from './host-adapter.ts'
import { type HostConnection, shakeHands } from './host-connection.ts'
import { HostLane } from './host-lane.ts'
import { type Hosts, hostLanes } from './host-lanes.ts'
import { nobodyFromHere, usualHostLane, type Whereabouts } from './lane.ts'
import { localDialer } from './local-dialer.ts'

/** What this server says about itself. */
export interface ServerSelf {
  readonly version: string
  readonly client: () => ClientInfo | null
}

export interface OpenedHostLane {
  readonly hosts: Hosts
  close(): void
}

/** The interactive lanes of this server: the host on this machine, which it may start, and the one outside a container. */
export function openHostLane(
  configuration: Configuration,
  deps: {
    readonly clock: Clock
    readonly ids: Ids
    readonly log: Log
    readonly self: ServerSelf
    readonly place: Whereabouts
    readonly agreed: (program: string) => string | null
    /** Called when a host has another run of ours. */
    readonly onOpened?: (id: string) => void
  },
): OpenedHostLane {
  const { settings } = configuration
  const { clock, ids, log, self, place, onOpened } = deps
  const cwd = process.cwd()
  const runtimeSessionId = ids.make('ses')
  const greeting = (withinMs: number) => (link: Link) => {
    const { name, version } = askerFrom(null, self.client())
    return shakeHands(
      link,
      {
        capabilities: [],
        trace_id: ids.make('trace'),
        runtime_session_id: runtimeSessionId,
        client: { name, version, pid: process.pid },
      },
      { clock, withinMs },
    )
  }

  const connectMs = settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS
  const local = localDialer(configuration, {
    clock,
    log,
    agreed: deps.agreed,
    greet: async link => declaredOnly(await greeting(connectMs)(link)),
    ...(place.container.inContainer === 'yes' && { noneStartsHere: () => nobodyFromHere(place) }),
  })
  /** In a container that was set up for the bridge, only a host that a person has declared to be in here counts. */
  const declaredOnly = (connection: HostConnection): HostConnection => {
    if (!settings.PM_RUNNING_IN_CONTAINER || connection.ack.host.in_container) return connection
    connection.goodbye('not a host of this container')
    throw nobodyFromHere(place)
  }

  // Whoever listens outside has proved itself by then; it may have to start the host first.
  const far = { clock, log, greet: greeting(connectMs + settings.PM_INTERACTIVE_TERMINAL_SPAWN_TIMEOUT_MS) }
  const requestTimeoutMs = settings.PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS
  const adapters: HostAdapter[] = []
  const lane = (reach: AdapterDeps['reach'], host: AdapterDeps['host']) => {
    const adapter = new HostAdapter({ clock, ids, log, host, reach, requestTimeoutMs, ...(onOpened && { onOpened }) })
    adapters.push(adapter)
    return new HostLane({ adapter, clock, ids, settings, cwd })
  }

  const hosts = hostLanes(
    {
      host_bridge_local: lane(local.reach, 'on_this_machine'),
      container_bridge_to_host: lane(bridgeDialer(settings, far), 'elsewhere'),
    },
    () => usualHostLane(settings, place),
  )
  return {
    hosts,
    close() {
      for (const adapter of adapters) adapter.close()
    },
  }
}
