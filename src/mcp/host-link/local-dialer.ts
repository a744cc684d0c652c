import { readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, sep } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { ensureKeyFile } from '../../base/keys/key-file.ts'
import type { Link } from '../../base/link/link.ts'
import { DialError, dialPsk } from '../../base/link/psk-socket.ts'
import type { Log } from '../../base/log.ts'
import { ownNodeEnv, ownNodeFlags } from '../../base/process/small-node.ts'
import { agreedProgram, type Configuration } from '../../config/settings.ts'
import type { TermError } from '../../contract/tool/errors.ts'
import { nobodyReached } from './lane.ts'
import { launchHost } from './launch-host.ts'
import { loginEnv } from './login-env.ts'
import { type ReachedHost, type ReachOptions, reachHost } from './reach-host.ts'

export const LOCAL = 'local'
const LOOPBACK = '127.0.0.1'

export interface LocalDialer<Connection> {
  readonly reach: (options: ReachOptions, signal: AbortSignal) => Promise<ReachedHost<Connection>>
}

/** The dialers `local` and `bundled`: the host on this machine, and the one that may be started here. */
export function localDialer<Connection>(
  configuration: Configuration,
  deps: {
    readonly clock: Clock
    readonly log: Log
    readonly greet: (link: Link) => Promise<Connection>
    /** Default: a program of this person. */
    readonly credential?: DialCredential
    /** Arguments for a host that is started, beside where to listen. */
    readonly launchFlags?: readonly string[]
    /** Where an agent may have written; null: no agent started this process. Default: where it was started. */
    readonly workspace?: string | null
    /** What a person is known to have agreed to of the programs that settings.json names. Default: nothing. */
    readonly agreed?: (program: string) => string | null
    /** Why no host can be started here; absent: one can. */
    readonly noneStartsHere?: () => TermError
  },
): LocalDialer<Connection> {
  const { settings, paths } = configuration
  const { clock, log, greet, credential, launchFlags = [], workspace = process.cwd(), agreed = () => null } = deps

  const reachDeps = {
    clock,
    log,
    greet,
    address: `${LOOPBACK}:${hostPort(configuration)}`,
    dial: (signal: AbortSignal) => dialLocal(configuration, clock, signal, credential),
    async launch(candidate: Parameters<typeof launchHost>[0]) {
      refuseForeignHome(settings.PM_TERM_HOME, workspace)
      const person = userInfo()
      const { env: ownEnv, platform, execPath } = process
      const env = await loginEnv({ person, node: execPath, platform, ownEnv })
      const home = launchHome(homedir(), person.homedir, workspace)
      return launchHost(
        candidate,
        {
          env: ownNodeEnv({ ...env, HOME: home }),
          cwd: home,
          logFile: paths.hostLogFile,
          args: [...launchArgs(configuration), ...launchFlags],
        },
        clock,
      )
    },
    places: {
      get configured() {
        return [agreedProgram(configuration, 'PM_INTERACTIVE_TERMINAL_BINARY', agreed)].filter(path => path !== '')
      },
      bundled: {
        node: process.execPath,
        flags: ownNodeFlags(),
        script: realpathSync(process.argv[1] ?? process.execPath),
      },
      path: process.env.PATH ?? '',
      workspaces: workspace === null ? [] : [workspace],
      platform: process.platform,
    },
    spawnTimeoutMs: settings.PM_INTERACTIVE_TERMINAL_SPAWN_TIMEOUT_MS,
    ...(deps.noneStartsHere && { noneStartsHere: deps.noneStartsHere }),
  }

  return { reach: (options, signal) => reachHost(reachDeps, options, signal) }
}

export interface DialCredential {
  readonly identity: string
  readonly keyFile: string
}

/** A link to the host that runs here. */
export async function dialLocal(
  configuration: Configuration,
  clock: Clock,
  signal: AbortSignal,
  credential: DialCredential = { identity: LOCAL, keyFile: configuration.paths.localKeyFile },
): Promise<Link> {
  const port = hostPort(configuration)
  if (port === 0) throw new DialError('refused', 'No host has said yet where it listens.')
  const { identity, keyFile } = credential
  const timeoutMs = configuration.settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS
  return dialPsk({ host: LOOPBACK, port, identity, key: ownKey(keyFile), timeoutMs, clock, signal })
}

/** A key that cannot be read or made is a reason to reach nobody, not a fault of the call. */
function ownKey(file: string): Buffer {
  try {
    return ensureKeyFile(file)
  } catch (cause) {
    throw nobodyReached(`The key of this server cannot be used. ${(cause as Error).message}`, { problem: 'key_file' })
  }
}

/** The port somebody chose, or the one a running host has written down, or the usual one. Who is there is proved by the key. */
export function hostPort({ settings, sources, paths }: Configuration): number {
  const chosen = settings.PM_TERM_PORT
  if (sources.PM_TERM_PORT.kind !== 'default' && chosen !== 0) return chosen
  try {
    const { port } = JSON.parse(readFileSync(paths.hostFile, 'utf8')) as { port?: unknown }
    return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : chosen
  } catch {
    // No host has run here yet.
    return chosen
  }
}

/**
 * What a launched host is started with: where to listen and which home is meant. Everything else it reads in settings.json itself.
 * The variables of this process are an agent's configuration's to set, so a home from there counts only when it is as much
 * the person's as the usual one: theirs alone to write, and outside the directory the agent works in (ADR 7).
 */
function launchArgs({ settings, sources }: Configuration): string[] {
  const args = ['host', '--launched']
  if (sources.PM_TERM_PORT.kind !== 'default') args.push('--port', String(settings.PM_TERM_PORT))
  if (sources.PM_TERM_APPROVER_PORT.kind !== 'default')
    args.push('--approver-port', String(settings.PM_TERM_APPROVER_PORT))
  if (sources.PM_TERM_PTY_HOST_PORT.kind !== 'default')
    args.push('--pty-host-port', String(settings.PM_TERM_PTY_HOST_PORT))
  const home = settings.PM_TERM_HOME
  if (home !== '') args.push('--home', home)
  return args
}

/** A host elsewhere would not hold this server's key, so none is started; the person can still start it for that home. */
function refuseForeignHome(home: string, workspace: string | null): void {
  if (home === '' || isPersonsOwn(home, workspace)) return
  throw new Error(
    `PM_TERM_HOME (${home}) has to be a directory that only its owner can write to, outside ${workspace}: no host is started for it`,
  )
}

const launchHome = (claimed: string, real: string, workspace: string | null): string =>
  isPersonsOwn(claimed, workspace) ? claimed : real

function isPersonsOwn(directory: string, workspace: string | null): boolean {
  const stat = statSync(directory, { throwIfNoEntry: false })
  if (!isAbsolute(directory) || !stat?.isDirectory()) return false
  const real = realpathSync(directory)
  const agents = workspace === null ? null : realpathSync(workspace)
  if (agents !== null && (real === agents || real.startsWith(agents + sep))) return false
  return process.platform === 'win32' || (stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0)
}
