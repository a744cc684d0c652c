import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/ids.ts'
import { jsonLog } from '../base/log.ts'
import { DialError } from '../base/psk-socket.ts'
import { type Configuration, loadSettings, type RawSettings } from '../config/settings.ts'
import { TermError } from '../contract/errors.ts'
import { Pairings } from '../host/pairings.ts'
import { type FinalReply, HostAdapter } from '../mcp/adapters/host-adapter.ts'
import { shakeHands } from '../mcp/adapters/host-connection.ts'
import { openJournal } from '../runs/journal.ts'
import { dialLocal } from './local-dialer.ts'
import { pairSnippet } from './pair-snippet.ts'
import { needTerminal, refuseInsideRun } from './person-check.ts'

const HELP = `interactive-terminal pair

  pair <name>            let a container, or another client, in under a name of its own: makes its key, prints how to mount it
  pair --list            who may come in
  pair --revoke <name>   nobody comes in under that name any more, and whoever is connected is cut off
`

export interface PairFlags {
  readonly list?: boolean | undefined
  readonly revoke?: boolean | undefined
}

/** `interactive-terminal pair`: letting somebody in is a person's act; showing them the door is anybody's. */
export async function pairCommand(
  raw: RawSettings,
  words: readonly string[],
  flags: PairFlags,
  version: string,
): Promise<number> {
  const configuration = loadSettings(raw)
  const { paths, settings } = configuration
  const pairings = new Pairings(paths.keysDir)
  const [name] = words
  if (flags.list) return say(listed(pairings))
  if (name === undefined || words.length > 1) {
    process.stdout.write(HELP)
    return name === undefined ? 0 : 2
  }
  if (flags.revoke) return revoke(configuration, pairings, name)
  refuseInsideRun(paths.stateDir)
  pairings.refuse(name)
  const answer = await askHost(configuration, name, version)
  if (answer === 'no_host') {
    needTerminal()
    pairings.add(name)
    await note(configuration, { paired: name })
  } else if (answer.type === 'error') throw new TermError(answer.error.code, answer.error.message)
  else if (answer.type !== 'pairing_answered' || answer.status !== 'approved')
    throw new TermError('PM_TERM_DECLINED', `${'reason' in answer ? answer.reason : 'The host did not agree.'}`)
  return say(
    pairSnippet({
      name,
      keyFile: pairings.fileOf(name),
      socketDir: paths.bridgeSocketFile.replace(/[/\\][^/\\]*$/, ''),
      address: settings.PM_TERM_BRIDGE_ADDRESS,
      port: settings.PM_INTERACTIVE_TERMINAL_HOST_PORT,
      asRoot: process.getuid?.() === 0,
    }),
  )
}

async function revoke(configuration: Configuration, pairings: Pairings, name: string): Promise<number> {
  if (!pairings.remove(name)) throw new TermError('PM_TERM_NOT_FOUND', `Nobody is paired as "${name}".`)
  await note(configuration, { revoked: name })
  return say(`"${name}" is revoked: nobody comes in under that name, and who was connected is cut off within a second.`)
}

function listed(pairings: Pairings): string {
  const all = pairings.list()
  if (all.length === 0) return 'Nobody is paired. interactive-terminal pair <name> lets a container in.'
  return all.map(({ name, since }) => `${name.padEnd(24)} since ${new Date(since).toISOString()}`).join('\n')
}

/** Asks the person through the host that runs; they answer wherever they answer everything else. */
async function askHost(configuration: Configuration, name: string, version: string): Promise<FinalReply | 'no_host'> {
  const clock = systemClock
  const ids = randomIds()
  const { settings } = configuration
  const withinMs = settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS
  const log = jsonLog({ level: 'silent', write: () => {}, now: clock.now })
  const client = { name: 'interactive-terminal pair', version, pid: process.pid }
  const about = { capabilities: [], trace_id: ids.make('trace'), runtime_session_id: ids.make('ses'), client }
  const adapter = new HostAdapter({
    clock,
    log,
    requestTimeoutMs: settings.PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS,
    reach: async (_, signal) => ({
      connection: await shakeHands(await dialLocal(configuration, clock, signal), about, { clock, withinMs }),
      launchedPid: null,
    }),
  })
  const ctrlC = new AbortController()
  try {
    await adapter.connect({ choice: 'local', binaryPath: null, launch: 'never' }, ctrlC.signal)
  } catch (cause) {
    if (cause instanceof DialError && cause.problem === 'refused') return 'no_host'
    throw cause instanceof DialError ? new TermError('PM_TERM_GUI_UNAVAILABLE', cause.message, { cause }) : cause
  }
  // Neither timers nor sockets of ours keep the process alive; a person may take minutes.
  const awake = setInterval(() => {}, 1000)
  process.once('SIGINT', () => ctrlC.abort())
  say('A host runs: answer its question ("interactive-terminal approve", or its window).')
  try {
    const request = { type: 'pairing_request', request_id: ids.make('req'), trace_id: about.trace_id, name } as const
    const reply = await adapter.awaitResponse(await adapter.sendRequest(request), ctrlC.signal)
    if (reply === 'given_up') throw new TermError('PM_TERM_DISCONNECTED', 'Given up: nobody was let in.')
    return reply
  } finally {
    clearInterval(awake)
    // A goodbye withdraws the question.
    adapter.close()
  }
}

async function note({ paths }: Configuration, body: Readonly<Record<string, unknown>>): Promise<void> {
  const journal = await openJournal(paths.journalFile, systemClock.now)
  journal.append({ kind: 'pairing_changed', requester: null, runId: null, body: { ...body, by: 'command line' } })
  journal.close()
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}
