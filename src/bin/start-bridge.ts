import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/ids.ts'
import type { Link } from '../base/link/link.ts'
import { jsonLog } from '../base/log.ts'
import { onDebuggerAsked } from '../base/process/no-debugger.ts'
import { refuseContainer } from '../cli/machine/refuse-container.ts'
import { believedHere } from '../cli/person/believed-here.ts'
import { loadSettings, type RawSettings } from '../config/settings.ts'
import { relay } from '../host/clients/bridge-relay.ts'
import { openBridge, refuseUseless } from '../host/clients/open-bridge.ts'
import { Pairings } from '../host/clients/pairings.ts'
import { BRIDGE } from '../host/names.ts'
import { localDialer } from '../mcp/host-link/local-dialer.ts'
import { toStderr } from './log-place.ts'

/** The first socket systemd hands over (sd_listen_fds). */
const FIRST_INHERITED_FD = 3

/**
 * `interactive-terminal bridge`: listens for containers without being a host. Only when one proves a paired key is the host
 * started, with its own window, and from then on the frames are carried through.
 */
export async function startBridge(raw: RawSettings): Promise<null> {
  const configuration = loadSettings(raw)
  const { settings, paths } = configuration
  const clock = systemClock
  const log = jsonLog({
    level: settings.PM_TERM_LOG_LEVEL,
    write: toStderr,
    now: clock.now,
  })

  await refuseContainer(configuration, raw)
  const pairings = new Pairings(paths.keysDir)
  const inheritedFd = inheritedSocket(raw.env)
  refuseUseless(settings.PM_TERM_BRIDGE_ADDRESS, inheritedFd, pairings)
  const believed = believedHere(configuration, { clock, ids: randomIds(), log, version: 'bridge' })

  const local = localDialer<Link>(configuration, {
    clock,
    log,
    credential: { identity: BRIDGE, keyFile: paths.bridgeKeyFile },
    // The port is taken by us already.
    launchFlags: ['--bridge-address', 'off'],
    agreed: program => believed.decisions.valueOf('programs', program),
    greet: async link => link,
    workspace: null,
  })

  const ending = new AbortController()
  // One after the other: of many who call at once only the first starts the host.
  let last: Promise<unknown> = Promise.resolve()
  const reach = (): Promise<Link> => {
    const asked = { choice: 'local_or_bundled_auto', binaryPath: null, launch: 'if_needed' } as const
    const reached = last
      .then(() => believed.fresh())
      .then(() => local.reach(asked, ending.signal))
      .then(({ connection }) => connection)
    last = reached.catch(() => {})
    return reached
  }

  const bridge = await openBridge(
    { clock, log, pairings, configuration, inheritedFd },
    link => void relay({ reach, log }, link),
    () => {},
  )

  onDebuggerAsked(clock.elapsed, message => log.warn(message))
  // Neither sockets nor timers of ours keep the process alive by themselves; this does.
  const awake = setInterval(() => {}, 60_000)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      ending.abort()
      clearInterval(awake)
      void bridge.close().finally(() => process.exit(0))
    })
  return null
}

function inheritedSocket({ LISTEN_PID, LISTEN_FDS }: RawSettings['env']): number | null {
  return Number(LISTEN_PID) === process.pid && Number(LISTEN_FDS) >= 1 ? FIRST_INHERITED_FD : null
}
