import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endOf, eventually } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

let place: Place
beforeEach(() => {
  place = new Place()
  place.alone()
})
afterEach(() => place.remove())

const MANY = 300

const largestMB = (pid: number | undefined): number => {
  const [, kB] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kB) / 1024
}

test('a client that is frozen while it has asked for much costs the server little, and has every answer once it reads again', async () => {
  const server = spawn(process.execPath, [PRODUCT, 'mcp'], { cwd: place.work, env: place.env(), stdio: 'pipe' })
  try {
    const answers = new Map<number, number>()
    const lines = createInterface({ input: server.stdout })
    lines.on('line', line => {
      const { id, result } = JSON.parse(line)
      if (id !== undefined) answers.set(id, result.structuredContent?.result?.stdout?.length ?? -1)
    })
    const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const call = (id: number, args: object) =>
      say({ id, method: 'tools/call', params: { name: 'memory_terminal', arguments: args } })
    const clientInfo = { name: 'test', version: '1' }
    say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
    say({ method: 'notifications/initialized' })
    const line = place.shell("head -c 200000 /dev/zero | tr '\\0' x")
    call(2, { action: 'run', ...line, workspace_id: 'test', request_id: 'long', max_bytes: 256 })
    await eventually('it has run', () => answers.has(2))
    const before = largestMB(server.pid)
    lines.pause()
    server.stdout.pause()
    for (let i = 0; i < MANY; i++) call(100 + i, { action: 'read_output', session_id: 'long', max_bytes: 200_000 })
    // Until it grows no more.
    let last = -1
    await eventually('it does no more for whoever does not read', async () => {
      const now = cpuTicks(server.pid)
      const still = now === last
      last = now
      await new Promise(resolve => setTimeout(resolve, 700))
      return still
    })
    expect(largestMB(server.pid) - before).toBeLessThan(75)
    lines.resume()
    server.stdout.resume()
    await eventually('every answer', () => answers.size >= MANY + 2, 90_000)
    expect([...answers].filter(([id, length]) => id >= 100 && length !== 200_000)).toEqual([])
  } finally {
    await endOf(server)
  }
}, 180_000)

/** What it has worked so far. */
function cpuTicks(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
