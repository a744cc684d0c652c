// The floor: MCP over stdio by hand. Reads a line, spawns, answers; what one Node process can do at most.
import { killAll } from './floor-runs.mjs'
import { callTool, toolList } from './floor-tools.mjs'

const underWay = new Map()

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'floor', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: toolList }),
  'tools/call': callTool,
}

async function answer({ id, method, params }) {
  if (method === 'notifications/cancelled') underWay.get(params.requestId)?.abort()
  if (id === undefined) return
  const cancel = new AbortController()
  underWay.set(id, cancel)
  const reply = await Promise.resolve()
    .then(() => METHODS[method](params, cancel.signal))
    .then(
      result => ({ result }),
      error => ({ error: { code: -32603, message: String(error) } }),
    )
  underWay.delete(id)
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`)
}

let partial = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', chunk => {
  const lines = (partial + chunk).split('\n')
  partial = lines.pop()
  for (const line of lines) answer(JSON.parse(line))
})
process.stdin.on('end', () => killAll().then(() => process.exit(0)))
