import { hostname, userInfo } from 'node:os'
import { systemClock } from '../base/clock.ts'
import { type Link, linkPair } from '../base/link.ts'
import type { Log } from '../base/log.ts'
import type { Settings } from '../config/env.ts'
import type { Configuration, RawSettings } from '../config/settings.ts'
import { TermError } from '../contract/errors.ts'
import { listenOnHttp } from '../mcp/http-listener.ts'
import { httpToken, readHttpToken } from '../mcp/http-token.ts'
import { seekAdmission } from './approve-admission.ts'
import { ApproveSession } from './approve-session.ts'
import { clientEntries } from './client-entries.ts'
import { openFront } from './front.ts'
import { ALREADY_RUNS } from './host-lock.ts'
import { isAnsweredHere, type LogPlace, toFile, toStderr } from './log-place.ts'
import { IN_CONTAINER, refuseContainer } from './refuse-container.ts'
import { showItsWindow } from './show-window.ts'
import type { StartedHost } from './start-host.ts'

/**
 * `interactive-terminal`: the host of this person, MCP over HTTP beside it, and what to copy into a client. In a terminal
 * it is its own approver: whoever started it is in front of it.
 */
export async function startHttp(raw: RawSettings, version: string): Promise<number | null> {
  const logTo = ({ paths }: Configuration) =>
    isAnsweredHere() && process.stderr.isTTY ? toFile(paths.hostLogFile) : toStderr
  const { front, log, configuration, endWith } = openFront(raw, version, logTo)
  const { settings, paths } = configuration
  const given = settings.PM_TERM_HTTP_TOKEN_FILE
  const tokenFile = given === '' ? paths.httpTokenFile : given
  const token = given === '' ? httpToken(tokenFile) : readHttpToken(tokenFile)
  const address = refuseOpenAddress(settings)
  const started = await hostOrNone(raw, version, { configuration, log, logTo: logTo(configuration) })
  if ('runsAlready' in started) {
    const { shown, message } = await showItsWindow(paths, version)
    process.stdout.write(`${started.runsAlready}\n${message}\n`)
    return shown ? 0 : 2
  }
  const host = 'refused' in started ? null : started
  const listening = listenOnHttp(front, {
    address,
    port: settings.PM_TERM_HTTP_PORT,
    hosts: settings.PM_TERM_HTTP_HOSTS.split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
    token,
    version,
    clock: systemClock,
    log,
  })
  const { port } = await listening.catch(async cause => {
    // Half of it is not what was asked for.
    await host?.close()
    throw cause
  })
  process.stdout.write(
    clientEntries({
      port,
      host: 'refused' in started ? started : started.host,
      tokenFile,
      executable: process.argv[1] ?? '',
      dataDir: paths.dataDir,
    }),
  )
  let ending = false
  const end = (code: number) => {
    if (ending) return
    ending = true
    const awake = setInterval(() => {}, 1000)
    void Promise.resolve(host?.close()).finally(() => {
      clearInterval(awake)
      return endWith(code)
    })
  }
  // The host ends first, and with it everything a person let run; then the server beside it.
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => end(code))
  }
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', cause => {
    log.error('uncaught', { cause })
    end(1)
  })
  process.stdout.once('error', () => end(0))
  const window = host ? await quickly(host.host.showWindow()) : null
  if (host && isAnsweredHere()) {
    const script = process.argv[1] ?? ''
    const welcome = [
      ...(window && !window.shown ? [window.message, ''] : []),
      'Connect an agent, in a terminal of its project:',
      `  claude mcp add interactive-terminal -- node ${script} mcp`,
      `  codex mcp add interactive-terminal -- node ${script} mcp`,
      `or over HTTP: http://127.0.0.1:${port}/mcp with the token in ${paths.httpTokenFile}`,
      '',
    ]
    void answerHere(host.host.attach, welcome).then(() => end(0))
  } else if (window) process.stdout.write(`${window.message}\n`)
  return null
}

/** What is known after a moment: without a screen that is everything, and a browser that starts needs nobody to wait. */
const quickly = <T>(wanted: Promise<T>): Promise<T | null> =>
  Promise.race([wanted, new Promise<null>(resolve => setTimeout(resolve, 500, null))])

/**
 * In a container there is no host, but MCP over HTTP is what a container is for: it runs, and says what is missing. What a
 * host needs is not even loaded then: an image can do without it.
 */
async function hostOrNone(
  raw: RawSettings,
  version: string,
  { configuration, log, logTo }: { configuration: Configuration; log: Log; logTo: LogPlace },
): Promise<StartedHost | { readonly refused: string } | { readonly runsAlready: string }> {
  try {
    refuseContainer(configuration, raw, log)
    const { openThisHost } = await import('./start-host.ts')
    return await openThisHost(raw, version, { launched: false, onIdle: null, logTo })
  } catch (cause) {
    // By name: a part that was loaded later has a class of its own.
    const { name, message, details } = cause as TermError
    if (name === 'TermError' && details.reason === IN_CONTAINER) return { refused: message }
    if (name === 'TermError' && details.reason === ALREADY_RUNS) return { runsAlready: message }
    throw cause
  }
}

/** In a container a published port arrives at every address; on a person's own machine nothing but loopback is theirs alone. */
function refuseOpenAddress(settings: Settings): string {
  const address = settings.PM_TERM_HTTP_ADDRESS
  if (settings.PM_RUNNING_IN_CONTAINER || /^127\.\d+\.\d+\.\d+$/.test(address)) return address
  throw new TermError(
    'PM_TERM_INVALID_MODE',
    `PM_TERM_HTTP_ADDRESS=${address}: MCP over HTTP listens beyond this machine only in a container. Use 127.0.0.1.`,
  )
}

/** This terminal answers questions until the person quits. */
async function answerHere(attach: (link: Link) => void, welcome: readonly string[]): Promise<void> {
  const [hostEnd, link] = linkPair('approver')
  attach(hostEnd)
  const streams = { stdin: process.stdin, stdout: process.stdout }
  const over = new Promise<ApproveSession>(resolve => {
    let session: ApproveSession | null = null
    void seekAdmission({
      link,
      name: `${userInfo().username}@${hostname()} (the host's own terminal)`,
      surface: 'host_terminal',
      // This terminal is let in without being asked.
      prompts: { passphrase: async () => null, code: async () => null },
      onFrame: frame => {
        if (frame.type !== 'admitted') session?.receive(frame)
        else {
          session = new ApproveSession({ link, clock: systemClock, streams, welcome }, frame)
          resolve(session)
        }
      },
    })
  })
  await (await over).over
}
