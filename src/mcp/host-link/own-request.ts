import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { ensureKeyFile } from '../../base/keys/key-file.ts'
import { dialPsk } from '../../base/link/psk-socket.ts'
import type { CommandRequest } from '../../contract/wire/host-frames.ts'
import { helloFrom, shakeHands } from './host-connection.ts'
import { LOCAL } from './local-dialer.ts'

const DIAL_MS = 3000
const ACCEPTED_WITHIN_MS = 5000
/** As long as a person might want to look at its card. */
const STAYS_MS = 600_000

/** What a person asks for in their window. */
export interface OwnRequest {
  /** The port for clients. */
  readonly port: number
  /** How it is called on the card. */
  readonly name: string
  readonly request: Partial<CommandRequest>
}

/**
 * A request of the person's own: a client of its own that dials the listener for clients, says hello and asks. It takes the way
 * every request takes. Resolves when the host has it.
 */
export async function ownRequest(
  deps: { readonly clock: Clock; readonly ids: Ids; readonly keyFile: string; readonly version: string },
  where: OwnRequest,
): Promise<void> {
  const { clock, ids, keyFile, version } = deps
  const { signal } = new AbortController()
  const address = { host: '127.0.0.1', port: where.port, identity: LOCAL, key: ensureKeyFile(keyFile) }
  const link = await dialPsk({ ...address, timeoutMs: DIAL_MS, clock, signal })
  const hello = helloFrom(ids, { name: where.name, version, pid: null })
  const connection = await shakeHands(link, hello, { clock, withinMs: ACCEPTED_WITHIN_MS })

  const request_id = ids.make('req')
  return new Promise((resolve, reject) => {
    const late = clock.after(ACCEPTED_WITHIN_MS, () => reject(new Error('The host did not answer itself.')))
    const stay = clock.after(STAYS_MS, () => connection.goodbye('nobody answered'))

    connection.onLost(() => {
      late.dispose()
      stay.dispose()
      reject(new Error('The connection to the host was lost.'))
    })

    connection.onReply(request_id, reply => {
      if (reply.type === 'accepted') resolve()
      if (reply.type === 'error') reject(new Error(reply.error.message))
      if (reply.type === 'command_response' || reply.type === 'error') connection.goodbye('answered')
    })

    connection.send({
      ...where.request,
      type: 'command_request',
      request_id,
      trace_id: hello.trace_id,
      intent: 'execute_command',
    })
  })
}
