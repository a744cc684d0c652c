import { realpathSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/ids.ts'
import { jsonLog, type Log } from '../base/log.ts'
import { processTable } from '../base/process-table.ts'
import { type Configuration, loadSettings, type RawSettings } from '../config/settings.ts'
import { TermError } from '../contract/errors.ts'
import { type Host, openHost } from '../host/open-host.ts'
import { realPath } from '../runs/disk-facts.ts'
import { ALREADY_RUNS, readHostFile, takeHostLock } from './host-lock.ts'
import { type LogPlace, toStderr } from './log-place.ts'
import { ptyOwner } from './pty-host-owner.ts'
import { refuseContainer } from './refuse-container.ts'
import { windowParts } from './window-parts.ts'

export interface StartedHost {
  readonly host: Host
  readonly configuration: Configuration
  readonly log: Log
  /** Ends every run, then gives the place free for the next host. */
  close(): Promise<void>
}

/**
 * Opens the host of this person, or throws saying who is there already. `launched`: by an MCP server, whose environment an
 * agent's configuration controls: then only flags and settings.json count.
 */
export async function openThisHost(
  raw: RawSettings,
  version: string,
  how: { readonly launched: boolean; readonly onIdle: (() => void) | null; readonly logTo?: LogPlace },
): Promise<StartedHost> {
  const configuration = loadSettings(how.launched ? { flags: raw.flags, env: {} } : raw)
  const { settings, paths } = configuration
  const log = jsonLog({
    level: settings.PM_TERM_LOG_LEVEL,
    write: how.logTo ?? toStderr,
    now: systemClock.now,
  })
  refuseContainer(configuration, raw, log)
  const table = processTable(process.platform)
  const lock = takeHostLock(paths.hostFile, table)
  if (lock === null) throw alreadyRuns(configuration)
  const { platform, pid } = process
  const world = {
    env: process.env,
    home: homedir(),
    shell: process.env.SHELL ?? userInfo().shell ?? '/bin/sh',
    platform,
    tmp: platform === 'win32' ? [] : ['/tmp', '/var/tmp', '/dev/shm', tmpdir()].map(dir => realPath(dir)),
    ours: [paths.stateDir, paths.dataDir, paths.settingsFile, realpathSync(process.argv[1] ?? process.execPath)].map(
      path => realPath(path),
    ),
  }
  try {
    const ids = randomIds()
    const script = process.argv[1] ?? process.execPath
    const ownPtys = ptyOwner(configuration, { clock: systemClock, ids, log, table, script })
    const { onIdle } = how
    const window = windowParts(settings, log)
    const host = await openHost({
      configuration,
      clock: systemClock,
      ids,
      log,
      ownPtys,
      world,
      version,
      window,
      onIdle,
    })
    const { instanceId, port, approverPort } = host
    lock.tell({
      instance_id: instanceId,
      pid,
      start: table.row(pid)?.start ?? null,
      port,
      approver_port: approverPort,
      version,
    })
    log.info('the host is ready', { instance_id: instanceId, port, approver_port: approverPort, pid })
    return {
      host,
      configuration,
      log,
      async close() {
        try {
          await host.close()
        } catch (cause) {
          log.error('ending what was started failed', { cause })
          host.closeAtOnce()
        }
        lock.release()
      },
    }
  } catch (cause) {
    lock.release()
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    throw new TermError(
      'PM_TERM_GUI_UNAVAILABLE',
      `A port of the host is taken (EADDRINUSE ${(cause as { port?: number }).port}): by a host with another PM_TERM_HOME, or by another program. End it, or choose others with --port and --approver-port.`,
      { cause },
    )
  }
}

/** `interactive-terminal host`: the host alone, as an MCP server starts it. */
export async function startHost(raw: RawSettings, version: string, how: { launched: boolean }): Promise<null> {
  // Told to end before it is ready: it ends as soon as it is, in order.
  let toldEarly: number | null = null
  let end = (code: number): void => {
    toldEarly ??= code
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))
  // Timers and sockets of ours do not keep the process alive by themselves; this does, until the end.
  const awake = setInterval(() => {}, 60_000)
  const opening = openThisHost(raw, version, { ...how, onIdle: () => end(0) })
  const started = await opening.catch(cause => {
    clearInterval(awake)
    throw cause
  })
  let ending = false
  end = code => {
    if (ending) return
    ending = true
    void started.close().finally(() => {
      clearInterval(awake)
      process.exit(code)
    })
  }
  process.on('uncaughtException', cause => {
    started.log.error('uncaught', { cause })
    end(1)
  })
  process.on('unhandledRejection', cause => started.log.error('unhandled', { cause }))
  if (toldEarly !== null) end(toldEarly)
  return null
}

function alreadyRuns({ paths }: Configuration): TermError {
  const there = readHostFile(paths.hostFile)
  return new TermError(
    'PM_TERM_GUI_UNAVAILABLE',
    there
      ? `The host already runs: pid ${there.pid}, MCP servers reach it on 127.0.0.1:${there.port}, approvers on 127.0.0.1:${there.approver_port}.\nAnswer its questions with "interactive-terminal approve".`
      : 'The host already runs, or is just starting.',
    { details: { reason: ALREADY_RUNS } },
  )
}
