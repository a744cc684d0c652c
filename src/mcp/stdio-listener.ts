import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Log } from '../base/log.ts'
import { LARGEST_MESSAGE_BYTES, type McpFront, mcpServer } from './mcp-server.ts'

/** MCP over stdin and stdout, both protocol generations. The client ends it by closing stdin. */
export function listenOnStdio(front: McpFront, log: Log): { close(): Promise<void> } {
  const transport = new StdioServerTransport(undefined, undefined, { maxBufferSize: LARGEST_MESSAGE_BYTES })
  return serveStdio(() => mcpServer(front), { transport, onerror: cause => log.debug('stdio', { cause }) })
}
