import { spawn } from 'node:child_process'
import { type Place, PRODUCT } from '../drivers/place.ts'

/** A server and a client that costs nothing: what is measured is ours, not the client's. */
export interface RawServer {
  /** The line that answers. Calls may overlap. */
  call(tool: string, args: object): Promise<string>
  end(): void
}

export async function rawServer(place: Place): Promise<RawServer> {
  const child = spawn(process.execPath, [PRODUCT, 'mcp'], {
    cwd: place.work,
    env: place.env(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (line: string) => void>()
  let text = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', chunk => {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const id = Number(/"id":(\d+)/.exec(line)?.[1])
      waiting.get(id)?.(line)
      waiting.delete(id)
    }
  })

  let lastId = 0
  const request = (method: string, params: object) =>
    new Promise<string>(resolve => {
      lastId += 1
      waiting.set(lastId, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`)
    })

  const clientInfo = { name: 'bench', version: '0' }
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  await request('tools/list', {})
  return {
    call: (name, args) => request('tools/call', { name, arguments: args }),
    end: () => child.stdin.end(),
  }
}
