import { systemClock } from '../base/clock.ts'
import { randomIds } from '../base/ids.ts'
import { readKeyFile } from '../base/key-file.ts'
import { dialPsk } from '../base/psk-socket.ts'
import type { Paths } from '../config/paths.ts'
import { FromHost, PROTOCOL_VERSION } from '../contract/host-frames.ts'
import { readHostFile } from './host-lock.ts'

const DIAL_MS = 3000
/** A window has 15 s to report in; this is a little more. */
const SHOWN_WITHIN_MS = 20_000

/** Asks the host that runs to show its window. It says how it went, and gives nothing that would open one. */
export async function showItsWindow(
  paths: Pick<Paths, 'hostFile' | 'localKeyFile'>,
  version: string,
): Promise<{ readonly shown: boolean; readonly message: string }> {
  const there = readHostFile(paths.hostFile)
  if (!there) return { shown: false, message: 'The host is just starting, or just ended.' }
  const ids = randomIds()
  const [trace_id, request_id] = [ids.make('trace'), ids.make('req')]
  const signal = AbortSignal.timeout(SHOWN_WITHIN_MS)
  const link = await dialPsk({
    host: '127.0.0.1',
    port: there.port,
    identity: 'local',
    key: readKeyFile(paths.localKeyFile),
    timeoutMs: DIAL_MS,
    clock: systemClock,
    signal,
  })
  // Nothing of ours keeps the process alive by itself; this does, until there is an answer.
  const awake = setInterval(() => link.send({ type: 'heartbeat' }), 1000)
  try {
    return await new Promise(resolve => {
      signal.addEventListener('abort', () => resolve({ shown: false, message: 'The host did not say whether it did.' }))
      link.onClose(reason => resolve({ shown: false, message: `The host ended the connection: ${reason}.` }))
      link.onFrame(raw => {
        const frame = FromHost.safeParse(raw).data
        if (frame?.type === 'hello_ack') link.send({ type: 'show_window', request_id, trace_id })
        if (frame?.type === 'window_shown') resolve({ shown: frame.shown, message: frame.message })
      })
      link.send({
        type: 'hello',
        protocol_version: PROTOCOL_VERSION,
        capabilities: [],
        trace_id,
        runtime_session_id: ids.make('ses'),
        client: { name: 'interactive-terminal', version, pid: process.pid },
      })
    })
  } finally {
    clearInterval(awake)
    link.close('shown')
  }
}
