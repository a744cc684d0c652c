import { networkInterfaces } from 'node:os'
import type { Clock } from '../../base/clock.ts'
import type { Link } from '../../base/link/link.ts'
import type { Log } from '../../base/log.ts'
import { toType } from '../../base/own-command.ts'
import type { Configuration } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { BridgeListener, isLoopback } from './bridge-listener.ts'
import type { Pairings } from './pairings.ts'

export interface BridgePlace {
  readonly clock: Clock
  readonly log: Log
  readonly pairings: Pairings
  readonly configuration: Configuration
  readonly inheritedFd?: number | null
}

/** The listener for containers, as the settings say. */
export async function openBridge(
  { clock, log, pairings, configuration: { settings, paths }, inheritedFd = null }: BridgePlace,
  onLink: (link: Link) => void,
  onLook: () => void,
): Promise<BridgeListener> {
  const bridge = new BridgeListener({
    clock,
    log,
    pairings,
    address: settings.PM_TERM_BRIDGE_ADDRESS,
    port: settings.PM_INTERACTIVE_TERMINAL_HOST_PORT,
    socketFile: process.platform === 'win32' ? null : paths.bridgeSocketFile,
    inheritedFd,
    interfaces: networkInterfaces,
    onLink,
    onLook,
  })
  await bridge.start()
  return bridge
}

/** Nowhere to listen, or nobody who could prove anything there. */
export function refuseUseless(address: string, inheritedFd: number | null, pairings: Pairings): void {
  if (address === 'off' && inheritedFd === null)
    throw new TermError(
      'PM_TERM_INVALID_MODE',
      'PM_TERM_BRIDGE_ADDRESS is off: there is nowhere to listen. Use auto, or an address.',
    )
  if (pairings.list().length === 0 && (inheritedFd !== null || !isLoopback(address)))
    throw new TermError(
      'PM_TERM_INVALID_MODE',
      `Nobody is paired, so nothing beyond this machine is listened on. First: ${toType('pair <name>')}`,
    )
}
