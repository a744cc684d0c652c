import { readFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { systemClock } from '../../base/clock.ts'
import { ensureKeyFile } from '../../base/keys/key-file.ts'
import type { Link } from '../../base/link/link.ts'
import { DialError, dialPsk } from '../../base/link/psk-socket.ts'
import { peerAt } from '../../base/process/peer-process.ts'
import type { Configuration } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { hostHolder } from './host-holder.ts'

/** How a person's own terminal reaches the host, on the listener that admits no run. */

export interface DialedHost {
  readonly link: Link
  /** Who listens there holds the host's place, as far as this system knows: not just anybody who wrote a port into host.json. */
  isHost(): boolean
}

/** null: no host listens there. */
export async function dialApprovers(configuration: Configuration): Promise<DialedHost | null> {
  const { settings, paths } = configuration
  const port = approverPort(configuration)
  if (port === 0) return null
  try {
    const link = await dialPsk({
      host: '127.0.0.1',
      port,
      identity: 'approver',
      key: ensureKeyFile(paths.localKeyFile),
      timeoutMs: settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS,
      clock: systemClock,
      signal: new AbortController().signal,
    })
    return { link, isHost: () => holdsPlace(port, paths.hostFile) }
  } catch (cause) {
    if (!(cause instanceof DialError)) throw cause
    if (cause.problem === 'refused') return null
    throw new TermError('PM_TERM_GUI_UNAVAILABLE', `${cause.message} Another program may hold the port.`, { cause })
  }
}

function holdsPlace(port: number, hostFile: string): boolean {
  const { platform } = process
  const holder = hostHolder(hostFile, platform)
  return holder === 'unknown' || (holder !== null && peerAt(port, platform, []).process?.pid === holder)
}

function approverPort({ settings, sources, paths }: Configuration): number {
  const chosen = settings.PM_TERM_APPROVER_PORT
  if (sources.PM_TERM_APPROVER_PORT.kind !== 'default' && chosen !== 0) return chosen
  try {
    const { approver_port } = JSON.parse(readFileSync(paths.hostFile, 'utf8')) as { approver_port?: unknown }
    return typeof approver_port === 'number' && approver_port > 0 && approver_port < 65_536 ? approver_port : chosen
  } catch {
    // No host has run here yet.
    return chosen
  }
}

/** `what`: what only a person can do. */
export function needPerson(what: string): void {
  if (process.env.INTERACTIVE_TERMINAL_RUN !== undefined)
    throw new TermError(
      'PM_TERM_APPROVAL_REQUIRED',
      `A command that runs here cannot ${what}. Use a terminal of your own.`,
    )
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new TermError('PM_TERM_APPROVAL_REQUIRED', `Only a person can ${what}: use a terminal.`)
}

export const nameOfPerson = (): string => `${userInfo().username}@${hostname()} (terminal)`
