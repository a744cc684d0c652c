import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/ids.ts'
import { DialError } from '../../base/link/psk-socket.ts'
import { jsonLog } from '../../base/log.ts'
import { toType } from '../../base/own-command.ts'
import type { Configuration } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { type FinalReply, HostAdapter } from '../../mcp/host-link/host-adapter.ts'
import { type HostRequest, helloFrom, shakeHands } from '../../mcp/host-link/host-connection.ts'
import { dialLocal } from '../../mcp/host-link/local-dialer.ts'

type HostApproval = Extract<FinalReply, { status: unknown; reason: unknown }>['type']

/** Whether the person approved it through the host that runs. False: none runs. Throws why not, when they did not. */
export async function approvedByHost(
  ...[configuration, who, request, type]: [...Parameters<typeof askHost>, type: HostApproval]
): Promise<boolean> {
  const reply = await askHost(configuration, who, request)
  if (reply === 'no_host') return false
  if (reply.type === 'error') throw new TermError(reply.error.code, reply.error.message)
  if (reply.type === type && 'status' in reply && reply.status === 'approved') return true
  throw new TermError('PM_TERM_DECLINED', ('reason' in reply ? reply.reason : null) ?? 'The host did not agree.')
}

/** Asks the person; they answer wherever they answer everything else. */
async function askHost(
  configuration: Configuration,
  who: { readonly name: string; readonly version: string },
  request: (ids: { readonly request_id: string; readonly trace_id: string }) => HostRequest,
): Promise<FinalReply | 'no_host'> {
  const clock = systemClock
  const ids = randomIds()
  const { settings } = configuration
  const withinMs = settings.PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS
  const log = jsonLog({ level: 'silent', write: () => {}, now: clock.now })

  const about = helloFrom(ids, { ...who, pid: process.pid })
  const adapter = new HostAdapter({
    clock,
    ids,
    log,
    host: 'on_this_machine',
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
  process.stdout.write(`A host runs: answer its question ("${toType('approve')}", or its window).\n`)
  try {
    const frame = request({ request_id: ids.make('req'), trace_id: about.trace_id })
    const reply = await adapter.awaitResponse(await adapter.sendRequest(frame), ctrlC.signal)
    if (reply === 'given_up') throw new TermError('PM_TERM_DISCONNECTED', 'Given up: nothing was changed.')
    return reply
  } finally {
    clearInterval(awake)
    // A goodbye withdraws the question.
    adapter.close()
  }
}
