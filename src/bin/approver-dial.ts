import { readFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { systemClock } from '../base/clock.ts'
import { ensureKeyFile } from '../base/key-file.ts'
import type { Link } from '../base/link.ts'
import { DialError, dialPsk } from '../base/psk-socket.ts'
import type { Configuration } from '../config/settings.ts'
import { TermError } from '../contract/errors.ts'

/** How a person's own terminal reaches the host, on the listener that runs are not let in on. */

/** null: no host listens there. */
export async function dialApprovers(configuration: Configuration): Promise<Link | null> {
  const { settings, paths } = configuration
  const port = approverPort(configuration)
  if (port === 0) return null
  try {
    return await dialPsk({
      host: '127.0.0.1',
      port,
      identity: 'approver',
      key: ensureKeyFile(paths.localKeyFile),
      timeoutMs: settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS,
      clock: systemClock,
      signal: new AbortController().signal,
    })
  } catch (cause) {
    if (!(cause instanceof DialError)) throw cause
    if (cause.problem === 'refused') return null
    throw new TermError('PM_TERM_GUI_UNAVAILABLE', `${cause.message} Another program may hold the port.`, { cause })
  }
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
