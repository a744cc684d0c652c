import { Readable, type Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Log } from '../../base/log.ts'
import { LARGEST_MESSAGE_BYTES } from '../server/identity.ts'
import { type McpFront, mcpServer } from '../server/mcp-server.ts'

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
  serveStdio(() => mcpServer(front, session, 'of_the_server'), {
    transport,
    onerror: cause => log.debug('stdio', { cause }),
  })
  if (began !== null) {
    const known = transport.leaveOutNext()
    input.push(began)
    await known
  }
  return input
}

/** Its first answer can be left out: the client has it. */
class LateTransport extends StdioServerTransport {
  #leftOut: (() => void) | null = null

  leaveOutNext(): Promise<void> {
    return new Promise(resolve => {
      this.#leftOut = resolve
    })
  }

  override send(message: Parameters<StdioServerTransport['send']>[0]): Promise<void> {
    if (this.#leftOut === null) return super.send(message)
    this.#leftOut()
    this.#leftOut = null
    return Promise.resolve()
  }
}
