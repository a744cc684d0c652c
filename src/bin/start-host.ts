import { realpathSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/ids.ts'
import { jsonLog, type Log } from '../base/log.ts'
import { HELD_EXIT_CODE } from '../base/own-command.ts'
import { onDebuggerAsked } from '../base/process/no-debugger.ts'
import { bootId, processTable } from '../base/process/process-table.ts'
import { collectWhenSettled, forgetOwnNodeEnv } from '../base/process/small-node.ts'
import { changedBundle, ownBundle } from '../cli/machine/check-bundle.ts'
import type { HereDeclaration } from '../cli/machine/declare-here.ts'
import { refuseContainer } from '../cli/machine/refuse-container.ts'
import { sharedDirectories, trustGround } from '../cli/machine/world.ts'
import { alreadyRuns, portTaken, takeHostLock } from '../cli/reach/host-lock.ts'
import { agreedProgram, type Configuration, loadSettings, type RawSettings } from '../config/settings.ts'
import type { TermError } from '../contract/tool/errors.ts'
import type { HostEndedBy } from '../host/approvers/predecessor.ts'
import type { Host } from '../host/host.ts'
import { openHost } from '../host/open-host.ts'
import { PreviewProcess } from '../host/preview/preview-process.ts'
import { notifyBy } from '../host/screen/notify-program.ts'
import { ownRequest } from '../mcp/host-link/own-request.ts'
import type { Decisions } from '../policy/files/decisions.ts'
import { realPath } from '../runs/facts/disk-facts.ts'
import { type LogPlace, toLaunchedLog } from './log-place.ts'
import { ownNode, ptyOwner } from './pty-host-owner.ts'
import { windowParts } from './window-parts.ts'

export interface StartedHost {
  readonly host: Host
  readonly configuration: Configuration
  readonly log: Log
  /** Ends every run, then gives the place free for the next host. */
  close(by: HostEndedBy): Promise<void>
}

/**
 * Opens the host of this person, or throws saying who is there already. `launched`: by an MCP server, whose environment an
 * agent's configuration controls: then only flags and settings.json count.
 */
export async function openThisHost(
  raw: RawSettings,
  version: string,
  how: {
    readonly launched: boolean
    readonly onIdle: (() => void) | null
    readonly logTo?: LogPlace
    /** A person in front of a terminal has made this container their machine. */
    readonly here?: HereDeclaration | null
  },
): Promise<StartedHost> {
  forgetOwnNodeEnv(process.env)
  const configuration = loadSettings(how.launched ? { flags: raw.flags, env: {} } : raw)
  const { settings, paths } = configuration
  const log = jsonLog({
    level: settings.PM_TERM_LOG_LEVEL,
    write: how.logTo ?? toLaunchedLog(configuration),
    now: systemClock.now,
  })

  const here = how.here ?? null
  if (here === null) await refuseContainer(configuration, raw)
  const table = processTable(process.platform)
  const lock = await takeHostLock(paths.hostFile)
  if (lock === null) throw alreadyRuns(paths.hostFile)

  const { platform, pid } = process
  const world = {
    env: process.env,
    home: homedir(),
    shell: process.env.SHELL ?? userInfo().shell ?? '/bin/sh',
    platform,
    tmp: sharedDirectories(),
    ground: trustGround(paths),
    ours: [paths.stateDir, paths.dataDir, paths.settingsFile, realpathSync(process.argv[1] ?? process.execPath)].map(
      path => realPath(path),
    ),
  }
  try {
    const ids = randomIds()
    const script = process.argv[1] ?? process.execPath
    const ownPtys = ptyOwner(configuration, { clock: systemClock, ids, log, table, script })

    const { onIdle, launched } = how
    let decisions: Decisions | null = null
    const agreed = (program: string) => decisions?.valueOf('programs', program) ?? null
    const window = windowParts(configuration, log, { launched, agreed })
    const host = await openHost({
      configuration,
      clock: systemClock,
      ids,
      log,
      ownPtys,
      world,
      version,
      window,
      notify: notifyBy(() => agreedProgram(configuration, 'PM_TERM_NOTIFY_COMMAND', agreed), { env: process.env, log }),
      previewer: new PreviewProcess({ clock: systemClock, log, program: ownNode(script) }),
      here: here && { ...here },
      ask: about => ownRequest({ clock: systemClock, ids, keyFile: configuration.paths.localKeyFile, version }, about),
      onIdle,
    })

    onDebuggerAsked(systemClock.elapsed, message => {
      log.warn(message)
      host.alarm(`${message} With one it could have approved for you.`)
    })
    const changed = changedBundle(ownBundle())
    if (changed !== null) {
      log.error(changed)
      host.alarm(changed)
    }
    decisions = host.decisions

    collectWhenSettled(systemClock)
    const { instanceId, port, approverPort } = host
    lock.publish({
      instance_id: instanceId,
      pid,
      start: table.row(pid)?.start ?? null,
      boot: bootId(platform),
      port,
      approver_port: approverPort,
      version,
      ...(here && { here: { boot: here.boot, hostname: here.hostname } }),
    })
    log.info('the host is ready', { instance_id: instanceId, port, approver_port: approverPort, pid })
    return {
      host,
      configuration,
      log,
      async close(by) {
        try {
          await host.close(by)
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
    throw portTaken(cause as { readonly port?: number })
  }
}

/** `interactive-terminal host`: the host alone, as an MCP server starts it. */
export async function startHost(raw: RawSettings, version: string, how: { launched: boolean }): Promise<null> {
  // Asked to end before it is ready: it ends as soon as it is, in order.
  const earlyEnds: { readonly code: number; readonly by: HostEndedBy }[] = []
  let end = (code: number, by: HostEndedBy): void => {
    earlyEnds.push({ code, by })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0, 'signal'))

  // Timers and sockets of ours do not keep the process alive by themselves; this does, until the end.
  const awake = setInterval(() => {}, 60_000)
  const opening = openThisHost(raw, version, { ...how, onIdle: () => end(0, 'idle') })
  const started = await opening.catch(cause => {
    clearInterval(awake)
    if (how.launched && (cause as Partial<TermError>).details?.held !== undefined) process.exitCode = HELD_EXIT_CODE
    throw cause
  })

  let ending = false
  end = (code, by) => {
    if (ending) return
    ending = true
    void started.close(by).finally(() => {
      clearInterval(awake)
      process.exit(code)
    })
  }
  process.on('uncaughtException', cause => {
    started.log.error('uncaught', { cause })
    end(1, 'fault')
  })
  process.on('unhandledRejection', cause => started.log.error('unhandled', { cause }))

  for (const { code, by } of earlyEnds) end(code, by)
  return null
}
