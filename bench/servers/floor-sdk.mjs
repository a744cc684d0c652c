// The same floor on the SDK that we use: what the SDK costs.
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { killAll } from './floor-runs.mjs'
import { callTool, toolList } from './floor-tools.mjs'

const server = new Server({ name: 'floor-sdk', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler('tools/list', () => ({ tools: toolList }))
server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => callTool(params, mcpReq.signal))
process.stdin.on('end', () => killAll().then(() => process.exit(0)))
await server.connect(new StdioServerTransport())
