import type { Clock } from '../../base/clock.ts'
import type { Ids } from '../../base/ids.ts'
import { dialPsk } from '../../base/link/psk-socket.ts'
import { FromHost, PROTOCOL_VERSION } from '../../contract/wire/host-frames.ts'
import { LOCAL } from '../names.ts'

const DIAL_MS = 3000
const ACCEPTED_WITHIN_MS = 5000
/** As long as a person might want to look at their first card. */
const STAYS_MS = 600_000

/**
 * A first request for a person who has no client yet: a client of its own that dials the listener for clients, says hello and
 * asks. It takes the way every request takes. Resolves when the host has it.
 */
export async function demoRequest(
  deps: { readonly clock: Clock; readonly ids: Ids; readonly key: Buffer; readonly version: string },
  where: { readonly port: number; readonly command: string },
): Promise<void> {
  const { clock, ids } = deps
  const link = await dialPsk({
    host: '127.0.0.1',
    port: where.port,
    identity: LOCAL,
    key: deps.key,
    timeoutMs: DIAL_MS,
    clock,
    signal: new AbortController().signal,
  })

  const trace_id = ids.make('trace')
  return new Promise((resolve, reject) => {
    const late = clock.after(ACCEPTED_WITHIN_MS, () => reject(new Error('The host did not answer itself.')))
    const stay = clock.after(STAYS_MS, () => link.close('the demo is over'))

    link.onClose(() => {
      late.dispose()
      stay.dispose()
      reject(new Error('The connection to the host was lost.'))
    })

    link.onFrame(raw => {
      const frame = FromHost.safeParse(raw).data
      if (frame?.type === 'accepted') resolve()
      if (frame?.type === 'error') reject(new Error(frame.error.message))
      if (frame?.type === 'command_response' || frame?.type === 'error') link.close('answered')
      if (frame?.type === 'heartbeat') link.send({ type: 'heartbeat' })
      if (frame?.type !== 'hello_ack') return

      link.send({
        type: 'command_request',
        request_id: ids.make('req'),
        trace_id,
        command: where.command,
        context: 'You asked to see how this works. Nothing on your machine is changed.',
      })
    })
    link.send({
      type: 'hello',
      protocol_version: PROTOCOL_VERSION,
      capabilities: [],
      trace_id,
      runtime_session_id: ids.make('ses'),
      client: { name: 'Try it', version: deps.version, pid: null },
    })
  })
}
