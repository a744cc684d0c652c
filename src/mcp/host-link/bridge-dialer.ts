import { lookup } from 'node:dns/promises'
import type { Clock } from '../../base/clock.ts'
import { type Pairing, readPairingFile } from '../../base/keys/key-file.ts'
import type { Link } from '../../base/link/link.ts'
import { dialPsk } from '../../base/link/psk-socket.ts'
import type { Log } from '../../base/log.ts'
import { toTypeElsewhere } from '../../base/own-command.ts'
import type { Settings } from '../../config/env.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { defaultGateway } from './default-gateway.ts'
import type { AdapterDeps } from './host-adapter.ts'
import type { HostConnection } from './host-connection.ts'
import { type BridgeReachDeps, reachBridge } from './reach-bridge.ts'

/** The first container of a network brings the gateway with it, and the host looks for gateways twice a second. */
const YOUNG_MS = 2500

/** The dialer `container_bridge`: from inside a container to the host of the person, with the key that was mounted. */
export function bridgeDialer(
  settings: Settings,
  deps: { readonly clock: Clock; readonly log: Log; readonly greet: (link: Link) => Promise<HostConnection> },
): AdapterDeps['reach'] {
  const { clock, log, greet } = deps
  const aliases = [
    settings.PM_INTERACTIVE_TERMINAL_HOST_ALIAS,
    settings.PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS,
  ].map(name => name.trim())
  const timeoutMs = settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS

  const trace: BridgeReachDeps['trace'] = (step, fields) =>
    settings.PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE
      ? log.info(`bridge: ${step}`, fields)
      : log.debug(`bridge: ${step}`, fields)
  const youngUntil = clock.elapsed() + YOUNG_MS

  return async (_, signal) => {
    const { name, key } = ourPairing(settings.PM_INTERACTIVE_TERMINAL_KEY_FILE)
    return reachBridge(
      {
        clock,
        aliases: aliases.filter(alias => alias !== ''),
        port: settings.PM_INTERACTIVE_TERMINAL_HOST_PORT,
        socketFile: settings.PM_INTERACTIVE_TERMINAL_HOST_SOCKET || null,
        lookUp: async alias => (await lookup(alias, { all: true })).map(({ address }) => address),
        gateway: () => defaultGateway(),
        dial: async (at, given) =>
          traced(await dialPsk({ ...at, identity: name, key, timeoutMs, clock, signal: given }), trace),
        greet,
        patienceMs: Math.max(0, youngUntil - clock.elapsed()),
        trace,
      },
      signal,
    )
  }
}

/** A key that is missing or no secret is a setting to fix, not a host that is away. */
export function ourPairing(file: string): Pairing {
  try {
    return readPairingFile(file)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const problem = code === 'ENOENT' ? 'does not exist' : code === 'EACCES' ? 'cannot be read by this user' : message
    throw new TermError(
      'PM_TERM_INVALID_MODE',
      `The key of this container cannot be used: ${problem.includes(file) ? problem : `${file} ${problem}.`} Mount the one "${toTypeElsewhere('pair <name>')}" made on the host.`,
      {
        details: { adapter: 'container_bridge', key_file: file, problem: problem.replace(file, '').trim() },
        cause,
      },
    )
  }
}

/** Kinds of frames and whose request they are about; never what is in them. */
function traced(link: Link, trace: BridgeReachDeps['trace']): Link {
  const about = (frame: object) => {
    const { type, request_id } = frame as { type?: string; request_id?: string }
    return { type, request_id }
  }
  link.onClose(reason => trace('closed', { reason }))
  return {
    identity: link.identity,
    binding: link.binding,
    get open() {
      return link.open
    },
    send(frame) {
      trace('sent', about(frame))
      return link.send(frame)
    },
    onFrame: listener =>
      link.onFrame(frame => {
        trace('received', about(frame))
        listener(frame)
      }),
    onClose: listener => link.onClose(listener),
    close: reason => link.close(reason),
  }
}
