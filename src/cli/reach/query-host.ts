import { systemClock } from '../../base/clock.ts'
import { randomIds } from '../../base/ids.ts'
import { readKeyFile } from '../../base/keys/key-file.ts'
import { dialPsk } from '../../base/link/psk-socket.ts'
import { type ProcessTable, processTable } from '../../base/process/process-table.ts'
import type { Paths } from '../../config/paths.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { FromHost } from '../../contract/wire/host-frames.ts'
import { type HostConnection, helloFrom, shakeHands } from '../../mcp/host-link/host-connection.ts'
import { whyNobody } from '../../mcp/host-link/lane.ts'
import { LOCAL } from '../../mcp/host-link/local-dialer.ts'
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
  const [clock, ids, signal] = [systemClock, randomIds(), AbortSignal.timeout(withinMs)]
  const hello = helloFrom(ids, { name: 'interactive-terminal', version, pid: process.pid })
  // Nothing of ours keeps the process alive by itself; this does, until there is an answer.
  const awake = setInterval(() => {}, 1000)

  try {
    const address = { host: '127.0.0.1', port: host.port, identity: LOCAL, key: readKeyFile(paths.localKeyFile) }
    const link = await dialPsk({ ...address, timeoutMs: DIAL_MS, clock, signal })
    const connection = await shakeHands(link, hello, { clock, withinMs })
    const frame = { type, request_id: ids.make('req'), trace_id: hello.trace_id }
    return { at: 'answered', host, reply: await replyTo(connection, frame, signal) }
  } catch (cause) {
    return { at: 'silent', host, why: cause instanceof TermError ? whyNobody(cause) : (cause as Error).message }
  } finally {
    clearInterval(awake)
  }
}

function replyTo(
  connection: HostConnection,
  frame: { readonly type: 'show_window' | 'status'; readonly request_id: string; readonly trace_id: string },
  signal: AbortSignal,
): Promise<QueryReply> {
  return new Promise<QueryReply>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it did not answer in time')))
    connection.onLost(reason => reject(new Error(`it ended the connection: ${reason}`)))
    connection.onReply(frame.request_id, reply => {
      if (reply.type === 'window_shown' || reply.type === 'status_answered') resolve(reply)
      if (reply.type === 'error') reject(new Error(reply.error.message))
    })
    connection.send(frame)
  }).finally(() => connection.goodbye('answered'))
}
