import { spawn } from 'node:child_process'
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

test('a server whose stderr nobody reads any more answers, keeps its commands running, and ends with its client', async () => {
  const env = place.env({ PM_TERM_LOG_LEVEL: 'debug' })
  const server = spawn(process.execPath, [PRODUCT, 'mcp'], { cwd: place.work, env, stdio: 'pipe' })
  try {
    server.stderr.destroy()
    const answers = new Map<number, { result: { structuredContent: { result: Record<string, unknown> } } }>()
    createInterface({ input: server.stdout }).on('line', line => {
      const message = JSON.parse(line)
      if (message.id !== undefined) answers.set(message.id, message)
    })
    const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const answer = async (id: number) => {
      await eventually(`answer ${id}`, () => answers.has(id), 15_000)
      return answers.get(id)?.result.structuredContent.result
    }
    const call = (id: number, args: object) =>
      say({ id, method: 'tools/call', params: { name: 'memory_terminal', arguments: args } })
    const clientInfo = { name: 'test', version: '1' }
    say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
    say({ method: 'notifications/initialized' })
    call(2, { action: 'run', ...place.shell('echo before; sleep 60'), timeout_ms: 300, request_id: 'long' })
    expect(await answer(2)).toMatchObject({ running: true })
    // That it started a host is logged.
    const invocation = { mode: 'interactive', intent: 'execute_command' }
    const execute = { action: 'execute', invocation, execution: { command: 'make it' } }
    say({ id: 3, method: 'tools/call', params: { name: 'memory_terminal_interactive', arguments: execute } })
    await eventually('it is answered', () => answers.has(3), 15_000)
    call(20, { action: 'read_output', session_id: 'long' })
    expect(await answer(20)).toMatchObject({ running: true, stdout: 'before\n' })
    server.stdin.end()
    await eventually('it ends with its client', () => server.exitCode !== null, 10_000)
  } finally {
    await endOf(server)
  }
})
