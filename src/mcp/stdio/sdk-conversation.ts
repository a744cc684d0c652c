import { Readable, type Writable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Log } from '../../base/log.ts'
import { askerFrom } from '../../contract/wire/asker-words.ts'
import { LARGEST_MESSAGE_BYTES } from '../server/identity.ts'
import { type McpFront, mcpServer, newsTo } from '../server/mcp-server.ts'
import { ResourceWatches } from '../server/resource-watches.ts'

export interface SdkOptions {
  readonly front: McpFront
  readonly session: string
  readonly log: Log
  readonly output: Writable
  /** The line with which the conversation began, if it has been answered already: the SDK has to know it, and says nothing to it. */
  readonly began: Buffer | null
}

/** All of MCP, both generations, on the SDK. What the client says from here on is to be pushed into what is returned. */
export async function converseWithSdk({ front, session, log, output, began }: SdkOptions): Promise<Readable> {
  const input = new Readable({ read() {} })
  const transport = new LateTransport(input, output, { maxBufferSize: LARGEST_MESSAGE_BYTES })
  let server: ReturnType<typeof mcpServer> | null = null
  const watches = new ResourceWatches(
    front.resources,
    newsTo(() => server),
  )
  const made = () => {
    server = mcpServer(front, session, 'of_the_server', watches)
    return server
  }
  serveStdio(made, { transport, onerror: cause => log.debug('stdio', { cause }) })
  transport.overhear(message => overheard(message, watches, session))
  if (began !== null) {
    const known = transport.leaveOutNext()
    input.push(began)
    await known
  }
  return input
}

/** The SDK keeps to itself what a client of the later generation wants to hear of. */
function overheard(message: JSONRPCMessage, watches: ResourceWatches, session: string): void {
  if (!('method' in message)) return
  const { method, params } = message
  if ('id' in message && method === 'subscriptions/listen') watches.listen(message.id, params, askerFrom(session, null))
  else if (method === 'notifications/cancelled') watches.unlisten(params?.requestId)
}

/** Its first answer can be left out: the client has it. */
class LateTransport extends StdioServerTransport {
  #leftOut: (() => void) | null = null

  leaveOutNext(): Promise<void> {
    return new Promise(resolve => {
      this.#leftOut = resolve
    })
  }

  /** What the client says is heard here as well, before it is answered. */
  overhear(listener: (message: JSONRPCMessage) => void): void {
    const answer = this.onmessage
    this.onmessage = (message, ...rest) => {
      listener(message)
      answer?.(message, ...rest)
    }
  }

  override send(message: Parameters<StdioServerTransport['send']>[0]): Promise<void> {
    if (this.#leftOut === null) return super.send(message)
    this.#leftOut()
    this.#leftOut = null
    return Promise.resolve()
  }
}
