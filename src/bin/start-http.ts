import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/ids.ts'
import { answerHere, chooseHere } from '../cli/commands/answer-here.ts'
import { clientEntries, connectLines } from '../cli/commands/client-entries.ts'
import { showItsWindow } from '../cli/commands/show-window.ts'
import { faultWords } from '../cli/line/fault-words.ts'
import { changedBundle, ownBundle } from '../cli/machine/check-bundle.ts'
import { declareHere, type HereDeclaration } from '../cli/machine/declare-here.ts'
import { refuseContainer } from '../cli/machine/refuse-container.ts'
import { livesHere } from '../cli/machine/whereabouts.ts'
import { endWhatWasLeft } from '../cli/person/passphrase-here.ts'
import { ALREADY_RUNS, alreadyRuns } from '../cli/reach/host-lock.ts'
import { type Configuration, loadSettings, type RawSettings } from '../config/settings.ts'
import type { TermError } from '../contract/tool/errors.ts'
import { IN_CONTAINER } from '../contract/tool/in-container.ts'
import type { HostEndedBy } from '../host/approvers/predecessor.ts'
import { httpAddress, listenOnHttp } from '../mcp/server/http-listener.ts'
import { httpToken, readHttpToken } from '../mcp/server/http-token.ts'
import { END_SIGNALS, openFront } from './front.ts'
import { isAnsweredHere, type LogPlace, toHostLog, toStderr } from './log-place.ts'
import type { StartedHost } from './start-host.ts'

/**
 * `interactive-terminal`: the host of this person, MCP over HTTP beside it, and what to copy into a client. In a terminal
 * it is its own approver: whoever started it is in front of it.
 */
export async function startHttp(
  raw: RawSettings,
  version: string,
  how: { here: boolean; passphrase: boolean },
): Promise<number | null> {
  const isHere = await livesHere(loadSettings(raw), raw)
  const here = how.here && !isHere ? await declareHere(loadSettings(raw), raw) : null
  const logTo = (configuration: Configuration) =>
    isAnsweredHere() && process.stderr.isTTY ? toHostLog(configuration) : toStderr
  const { front, log, configuration, endWith } = openFront(raw, version, { logTo, manyClients: true })

  const { settings, paths } = configuration
  const given = settings.PM_TERM_HTTP_TOKEN_FILE
  const tokenFile = given === '' ? paths.httpTokenFile : given
  const token = given === '' ? httpToken(tokenFile) : readHttpToken(tokenFile)
  const address = httpAddress(settings)

  const started = await hostOrNone(raw, version, { configuration, logTo: logTo(configuration), here, isHere })
  if ('runsAlready' in started) {
    process.stdout.write(`${started.runsAlready}\n`)
    const { shown, message } = await showItsWindow(configuration, version)
    process.stdout.write(`${message}\n`)
    return shown ? 0 : 2
  }

  const host = 'refused' in started ? null : started
  if (how.passphrase && host)
    await chooseHere(host.host).catch(async cause => {
      await host.close('fault')
      throw cause
    })
  const listening = listenOnHttp(front, {
    address,
    port: settings.PM_TERM_HTTP_PORT,
    hosts: settings.PM_TERM_HTTP_HOSTS.split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
    token,
    version,
    clock: systemClock,
    ids: randomIds(),
    log,
  })
  const { port } = await listening.catch(async cause => {
    // Half of it is not what was asked for.
    await host?.close('fault')
    throw cause
  })

  const changed = changedBundle(ownBundle())
  if (changed !== null) process.stderr.write(`\n  WARNING: ${changed}\n\n`)
  process.stdout.write(
    clientEntries({
      port,
      host: 'refused' in started ? started : { ...portsOf(started.host), inContainer: here !== null },
      tokenFile,
      executable: process.argv[1] ?? '',
      dataDir: paths.dataDir,
    }),
  )

  let ending = false
  const end = (code: number, by: HostEndedBy) => {
    if (ending) return
    ending = true
    const awake = setInterval(() => {}, 1000)
    void Promise.resolve(host?.close(by)).finally(() => {
      clearInterval(awake)
      return endWith(code)
    })
  }

  // The host ends first, and with it everything a person let run; then the server beside it.
  for (const [signal, code] of END_SIGNALS) {
    process.removeAllListeners(signal)
    process.on(signal, () => end(code, 'signal'))
  }
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', cause => {
    log.error('uncaught', { cause })
    end(1, 'fault')
  })
  process.stdout.once('error', () => end(0, 'signal'))

  const window = host && here === null ? await quickly(host.host.showWindow()) : null
  if (host && isAnsweredHere()) {
    const script = process.argv[1] ?? ''
    const welcome = [
      ...(changed !== null ? [`WARNING: ${changed}`, ''] : []),
      ...(window && !window.shown ? [window.message, ''] : []),
      ...(host && here
        ? [`Window: http://localhost:${host.host.approverPort}, forwarded (VS Code: PORTS, else ssh -L)`, '']
        : []),
      ...connectLines(script, `http://127.0.0.1:${port}/mcp with the token in ${paths.httpTokenFile}`),
    ]
    if (host.host.needsProof === 'end_terminals') await endWhatWasLeft(host.host)
    void answerHere(host.host, welcome).then(
      () => end(0, 'terminal'),
      cause => {
        // As if it had been killed: what still runs is for whoever proves to be the person.
        process.stderr.write(`${faultWords(cause)}\n`, () => process.exit(2))
      },
    )
  } else if (window) process.stdout.write(`${window.message}\n`)
  return null
}

const portsOf = ({ port, approverPort }: StartedHost['host']) => ({ port, approverPort })

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
  how: { configuration: Configuration; logTo: LogPlace; here: HereDeclaration | null; isHere: boolean },
): Promise<StartedHost | { readonly refused: string } | { readonly runsAlready: string }> {
  try {
    const { configuration, logTo, here, isHere } = how
    if (isHere) throw alreadyRuns(configuration.paths.hostFile)
    if (here === null) await refuseContainer(configuration, raw)
    const { openThisHost } = await import('./start-host.ts')
    return await openThisHost(raw, version, { launched: false, onIdle: null, logTo, here })
  } catch (cause) {
    // By name: a part that was loaded later has a class of its own.
    const { name, message, details } = cause as TermError
    if (name === 'TermError' && details.reason === IN_CONTAINER) return { refused: message }
    if (name === 'TermError' && details.reason === ALREADY_RUNS) return { runsAlready: message }
    throw cause
  }
}
