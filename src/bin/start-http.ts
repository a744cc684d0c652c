import { hostname, userInfo } from 'node:os'
import { systemClock } from '../base/clock.ts'
import { type Link, linkPair } from '../base/link.ts'
import type { RawSettings } from '../config/settings.ts'
import { TermError } from '../contract/errors.ts'
import { listenOnHttp } from '../mcp/http-listener.ts'
import { httpToken } from '../mcp/http-token.ts'
import { seekAdmission } from './approve-admission.ts'
import { ApproveSession } from './approve-session.ts'
import { clientEntries } from './client-entries.ts'
import { openFront } from './front.ts'
import { IN_CONTAINER, openThisHost } from './start-host.ts'

/**
 * `interactive-terminal`: the host of this person, MCP over HTTP beside it, and what to copy into a client. In a terminal
 * it is its own approver: whoever started it is in front of it.
 */
export async function startHttp(raw: RawSettings, version: string): Promise<null> {
  const { front, log, configuration, endWith } = openFront(raw, version)
  const { settings, paths } = configuration
  const token = httpToken(paths.httpTokenFile)
  const started = await hostOrNone(raw, version)
  const host = 'refused' in started ? null : started
  const listening = listenOnHttp(front, { port: settings.PM_TERM_HTTP_PORT, token, clock: systemClock, log })
  const { port } = await listening.catch(async cause => {
    // Half of it is not what was asked for.
    await host?.close()
    throw cause
  })
  process.stdout.write(
    clientEntries({
      port,
      host: 'refused' in started ? started : started.host,
      tokenFile: paths.httpTokenFile,
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
  if (host && process.stdin.isTTY && process.stdout.isTTY) {
    const script = process.argv[1] ?? ''
    const welcome = [
      'Connect an agent, in a terminal of its project:',
      `  claude mcp add interactive-terminal -- node ${script} mcp`,
      `  codex mcp add interactive-terminal -- node ${script} mcp`,
      `or over HTTP: http://127.0.0.1:${port}/mcp with the token in ${paths.httpTokenFile}`,
      '',
    ]
    void answerHere(host.host.attach, welcome).then(() => end(0))
  }
  return null
}

/** In a container there is no host, but MCP over HTTP is what a container is for: it runs, and says what is missing. */
async function hostOrNone(
  raw: RawSettings,
  version: string,
): Promise<Awaited<ReturnType<typeof openThisHost>> | { readonly refused: string }> {
  try {
    return await openThisHost(raw, version, { launched: false, onIdle: null })
  } catch (cause) {
    if (cause instanceof TermError && cause.details.reason === IN_CONTAINER) return { refused: cause.message }
    throw cause
  }
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
      surface: 'host_terminal',
      name: `${userInfo().username}@${hostname()} (the host's own terminal)`,
      passphrase: async () => null,
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
