import { readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, sep } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Ids } from '../base/ids.ts'
import { ensureKeyFile } from '../base/key-file.ts'
import type { Log } from '../base/log.ts'
import { DialError, dialPsk } from '../base/psk-socket.ts'
import type { Configuration } from '../config/settings.ts'
import { HostAdapter } from '../mcp/adapters/host-adapter.ts'
import { shakeHands } from '../mcp/adapters/host-connection.ts'
import { launchHost } from '../mcp/adapters/launch-host.ts'
import { HostLane } from '../mcp/host-lane.ts'
import { nobodyReached } from '../mcp/lane.ts'
import { loginEnv } from './login-env.ts'

/** What this server says about itself. */
export interface ServerSelf {
  readonly version: string
  /** The client it serves, in that client's own words. */
  readonly client: () => string | null
}

export interface OpenedHostLane {
  readonly lane: HostLane
  /** Hosts this server started: its children, but not its to end. */
  readonly launched: ReadonlySet<number>
  close(): void
}

const LOCAL = 'local'
const LOOPBACK = '127.0.0.1'

/** The interactive lane of this server: the local dialer, and the host it may start. */
export function openHostLane(
  configuration: Configuration,
  deps: { readonly clock: Clock; readonly ids: Ids; readonly log: Log; readonly self: ServerSelf },
): OpenedHostLane {
  const { settings, paths } = configuration
  const { clock, ids, log, self } = deps
  const cwd = process.cwd()
  const runtimeSessionId = ids.make('ses')
  const launched = new Set<number>()
  const timeoutMs = settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS
  const adapter = new HostAdapter({
    clock,
    log,
    address: `${LOOPBACK}:${hostPort(configuration)}`,
    async dial(signal) {
      const port = hostPort(configuration)
      if (port === 0) throw new DialError('refused', 'No host has said yet where it listens.')
      return dialPsk({
        host: LOOPBACK,
        port,
        identity: LOCAL,
        key: localKey(paths.localKeyFile),
        timeoutMs,
        clock,
        signal,
      })
    },
    greet: link =>
      shakeHands(
        link,
        {
          capabilities: [],
          trace_id: ids.make('trace'),
          runtime_session_id: runtimeSessionId,
          client: { name: self.client() ?? 'an MCP client', version: self.version, pid: process.pid },
        },
        { clock, withinMs: timeoutMs },
      ),
    async launch(candidate) {
      refuseForeignHome(settings.PM_TERM_HOME, cwd)
      const person = userInfo()
      const { env: ownEnv, platform, execPath } = process
      const env = await loginEnv({ person, node: execPath, platform, ownEnv })
      const home = launchHome(homedir(), person.homedir, cwd)
      const host = await launchHost(
        candidate,
        { env: { ...env, HOME: home }, cwd: home, logFile: paths.hostLogFile, args: launchArgs(configuration) },
        clock,
      )
      launched.add(host.pid)
      void host.ended.then(() => launched.delete(host.pid))
      return host
    },
    places: {
      configured: [settings.PM_INTERACTIVE_TERMINAL_BINARY].filter(path => path !== ''),
      bundled: { node: process.execPath, script: realpathSync(process.argv[1] ?? process.execPath) },
      path: process.env.PATH ?? '',
      workspaces: [cwd],
      platform: process.platform,
    },
    spawnTimeoutMs: settings.PM_INTERACTIVE_TERMINAL_SPAWN_TIMEOUT_MS,
    requestTimeoutMs: settings.PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS,
  })
  return { lane: new HostLane({ adapter, clock, ids, settings, cwd }), launched, close: () => adapter.close() }
}

/** A key that cannot be read or made is a reason to reach nobody, not a fault of the call. */
function localKey(file: string): Buffer {
  try {
    return ensureKeyFile(file)
  } catch (cause) {
    throw nobodyReached(`The key of this server cannot be used: ${(cause as Error).message}`, { problem: 'key_file' })
  }
}

/** The port somebody chose, or the one a running host has written down, or the usual one. Who is there is proved by the key. */
function hostPort({ settings, sources, paths }: Configuration): number {
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
 * What a launched host is told: where to listen and which home is meant. Everything else it reads in settings.json itself.
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
function refuseForeignHome(home: string, cwd: string): void {
  if (home === '' || isPersonsOwn(home, cwd)) return
  throw new Error(
    `PM_TERM_HOME (${home}) has to be a directory that only you can write to, outside ${cwd}: no host is started for it`,
  )
}

const launchHome = (claimed: string, real: string, cwd: string): string => (isPersonsOwn(claimed, cwd) ? claimed : real)

function isPersonsOwn(directory: string, cwd: string): boolean {
  const stat = statSync(directory, { throwIfNoEntry: false })
  if (!isAbsolute(directory) || !stat?.isDirectory()) return false
  const real = realpathSync(directory)
  const workspace = realpathSync(cwd)
  if (real === workspace || real.startsWith(workspace + sep)) return false
  return process.platform === 'win32' || (stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0)
}
