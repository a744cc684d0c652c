import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/ids.ts'
import { readKeyFile } from '../../base/keys/key-file.ts'
import type { Link } from '../../base/link/link.ts'
import { dialPsk } from '../../base/link/psk-socket.ts'
import { type ProcessTable, processTable } from '../../base/process/process-table.ts'
import type { Paths } from '../../config/paths.ts'
import { FromHost, PROTOCOL_VERSION } from '../../contract/wire/host-frames.ts'
import { type HostFile, livingHost, readHostFile } from './host-lock.ts'

type QueryReply = Extract<FromHost, { type: 'window_shown' | 'status_answered' }>
export type HostAnswer =
  | { readonly at: 'none'; readonly left: string | null }
  | { readonly at: 'silent'; readonly host: HostFile; readonly why: string }
  | { readonly at: 'answered'; readonly host: HostFile; readonly reply: QueryReply }

const DIAL_MS = 3000

/** Asks the host that runs for one thing. Whoever answers has proved to hold the person's key. */
export async function queryHost(
  paths: Pick<Paths, 'hostFile' | 'localKeyFile'>,
  version: string,
  { type, withinMs }: { readonly type: 'show_window' | 'status'; readonly withinMs: number },
  table: ProcessTable = processTable(process.platform),
): Promise<HostAnswer> {
  const host = livingHost(paths.hostFile, table)
  if (host === null) return { at: 'none', left: readHostFile(paths.hostFile) === null ? null : paths.hostFile }
  const signal = AbortSignal.timeout(withinMs)
  try {
    const link = await dialPsk({
      host: '127.0.0.1',
      port: host.port,
      identity: 'local',
      key: readKeyFile(paths.localKeyFile),
      timeoutMs: DIAL_MS,
      clock: systemClock,
      signal,
    })
    return { at: 'answered', host, reply: await replyTo(link, type, { version, signal }) }
  } catch (cause) {
    return { at: 'silent', host, why: (cause as Error).message }
  }
}

async function replyTo(
  link: Link,
  type: 'show_window' | 'status',
  { version, signal }: { readonly version: string; readonly signal: AbortSignal },
): Promise<QueryReply> {
  const ids = randomIds()
  const [trace_id, request_id] = [ids.make('trace'), ids.make('req')]
  // Nothing of ours keeps the process alive by itself; this does, until there is an answer.
  const awake = setInterval(() => link.send({ type: 'heartbeat' }), 1000)

  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('it did not answer in time')))
      link.onClose(reason => reject(new Error(`it ended the connection: ${reason}`)))
      link.onFrame(raw => {
        const frame = FromHost.safeParse(raw).data
        if (frame?.type === 'hello_ack') link.send({ type, request_id, trace_id })
        if (frame?.type === 'window_shown' || frame?.type === 'status_answered') resolve(frame)
        if (frame?.type === 'error') reject(new Error(frame.error.message))
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
    link.close('answered')
  }
}
