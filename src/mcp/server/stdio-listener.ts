import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Log } from '../../base/log.ts'
import { LARGEST_MESSAGE_BYTES, type McpFront, mcpServer } from './mcp-server.ts'
import { PacedInput } from './paced-input.ts'

/** MCP over stdin and stdout, both protocol generations: one client, one session. The client ends it by closing stdin. */
export function listenOnStdio(front: McpFront, session: string, log: Log): { close(): Promise<void> } {
  const { stdin, stdout } = process
  const transport = new StdioServerTransport(new PacedInput(stdin, stdout), stdout, {
    maxBufferSize: LARGEST_MESSAGE_BYTES,
  })
  return serveStdio(() => mcpServer(front, session, 'of_the_server'), {
    transport,
    onerror: cause => log.debug('stdio', { cause }),
  })
}
