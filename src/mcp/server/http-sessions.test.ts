import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../test/drivers/mcp-client.ts'
import { FakeClock } from '../../../test/fakes/fake-clock.ts'
import { FakeResources } from '../../../test/fakes/fake-resources.ts'
import { randomIds } from '../../base/ids.ts'
import { type HttpListener, listenOnHttp } from './http-listener.ts'
import type { ToolCall } from './mcp-server.ts'

/** docs/spec.md D21 over HTTP, with real clients of the 2025 generation and time that passes when a test says so. */
const TOKEN = 'token'
const silent = () => {}
let clock: FakeClock
let listener: HttpListener
let calls: ToolCall[]
let gone: string[]

beforeEach(async () => {
  clock = new FakeClock()
  calls = []
  gone = []
  const front = {
    version: '0',
    tools: [{ name: 'wait', inputSchema: { type: 'object' } }] as never,
    call: (call: ToolCall) => {
      calls.push(call)
      const answer = { structured: {}, text: 'given up', isError: false }
      return new Promise<typeof answer>(resolve => call.signal.addEventListener('abort', () => resolve(answer)))
    },
    resources: new FakeResources(),
    onListed: silent,
    onGone: (session: string) => void gone.push(session),
  }
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const options = { address: '127.0.0.1', port: 0, hosts: [], token: TOKEN, version: '0', clock, log }
  listener = await listenOnHttp(front, { ...options, ids: randomIds() })
})
afterEach(() => listener.close())

async function connect(): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const url = new URL(`http://127.0.0.1:${listener.port}/mcp`)
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return { client, transport }
}

const calling = async (client: Client): Promise<ToolCall> => {
  const before = calls.length
  client.callTool({ name: 'wait', arguments: {} }, { timeout: 600_000 }).catch(silent) // it dies with its client
  await eventually('the call is there', () => calls.length > before)
  return calls.at(-1) as ToolCall
}

/** A connection of that session, held open until it is let go. */
async function hold(session: string, method: 'GET' | 'POST', body?: unknown): Promise<() => void> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-session-id': session,
    'mcp-protocol-version': '2025-06-18',
  }
  const held = request({ host: '127.0.0.1', port: listener.port, path: '/mcp', method, headers })
  held.on('error', silent) // letting go is the point
  const answered = new Promise(resolve => held.once('response', resolve))
  held.end(body === undefined ? undefined : JSON.stringify(body))
  await answered
  return () => held.destroy()
}

/** Lets time pass until it is so, and says how much. */
async function timeUntil(isSo: () => boolean, stepMs = 2500): Promise<number> {
  const began = clock.elapsed()
  await eventually('enough time has passed', async () => {
    if (!isSo()) await clock.advance(stepMs)
    return isSo()
  })
  return clock.elapsed() - began
}

test('a client that dies is gone 15 s after its last connection, and its call with it', async () => {
  const { client } = await connect()
  const { signal, asker } = await calling(client)
  await clock.advance(3_000_000)
  expect(gone).toEqual([])
  await client.close()
  expect(await timeUntil(() => gone.length > 0)).toBeGreaterThanOrEqual(15_000)
  expect({ gone, aborted: signal.aborted }).toEqual({ gone: [asker?.session], aborted: true })
})

test('a connection that is lost is no cancellation: whoever comes back in time, or is still there, is waited for', async () => {
  const { client, transport } = await connect()
  const session = transport.sessionId ?? ''
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'wait', arguments: {} } }
  const hangUp = await hold(session, 'POST', call)
  const [{ signal }] = calls as [ToolCall]
  await client.close()
  const leave = await hold(session, 'GET')
  hangUp()
  await clock.advance(600_000)
  expect({ gone, aborted: signal.aborted }).toEqual({ gone: [], aborted: false })
  leave()
  expect(await timeUntil(() => gone.length > 0)).toBeGreaterThanOrEqual(15_000)
  expect(signal.aborted).toBe(true)
})

test('one client that is gone takes nothing from another', async () => {
  const [one, other] = [await connect(), await connect()]
  await calling(one.client)
  const kept = await calling(other.client)
  await one.client.close()
  await timeUntil(() => gone.length > 0)
  expect({ gone: gone.length, aborted: kept.signal.aborted }).toEqual({ gone: 1, aborted: false })
  await other.client.close()
})

test('a client that ends its session is gone at once', async () => {
  const { client, transport } = await connect()
  const { signal, asker } = await calling(client)
  await transport.terminateSession()
  await eventually('it is gone', () => gone.length > 0)
  expect({ gone, aborted: signal.aborted }).toEqual({ gone: [asker?.session], aborted: true })
  await client.close()
})

test('a session that nobody uses for an hour is over, also when no other one begins', async () => {
  const { client, transport } = await connect()
  await client.close()
  expect(await timeUntil(() => gone.length > 0, 600_000)).toBeGreaterThanOrEqual(3_600_000)
  const headers = { authorization: `Bearer ${TOKEN}`, 'mcp-session-id': transport.sessionId ?? '' }
  expect((await fetch(`http://127.0.0.1:${listener.port}/mcp`, { headers })).status).toBe(404)
})
