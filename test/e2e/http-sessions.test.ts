import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, isAlive, type OpenedHttp, openHttp } from '../drivers/mcp-client.ts'

/** Sessions of the 2025 generation over HTTP, where a connection that drops is not a call taken back. */
let server: OpenedHttp
beforeAll(async () => {
  server = await openHttp()
})
afterAll(() => server.close())

const headers = (more: Record<string, string> = {}) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${server.token}`,
  ...more,
})

const post = (message: unknown, session = '') =>
  fetch(server.url, {
    method: 'POST',
    headers: headers(session ? { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' } : {}),
    body: JSON.stringify(message),
  })

async function newSession(): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  const answer = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const session = answer.headers.get('mcp-session-id') ?? ''
  await answer.text()
  await (await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)).text()
  return session
}

const callOf = (args: Record<string, unknown>) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'memory_terminal', arguments: { ...args, cwd: server.work } },
})

/** Sends a call and hangs up once the command has begun, without a word. */
async function hangUp(session: string, args: Record<string, unknown>, begun: () => boolean): Promise<void> {
  const { port } = new URL(server.url)
  const call = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/mcp',
    headers: headers({ 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }),
  })
  call.on('error', () => {}) // hanging up is the point
  call.end(JSON.stringify(callOf(args)))
  await eventually('the command has begun', begun)
  call.destroy()
}

test('a connection that drops does not stop the command', async () => {
  const line = server.place.shell(`echo $$ > ${server.work}/dropped; sleep 0.7; echo finished`)
  const session = await newSession()
  await hangUp(
    session,
    { action: 'run', ...line, request_id: 'dropped' },
    () => server.place.read('work/dropped') !== '',
  )
  const wait = { wait_for: 'exit', wait_ms: 8000 }
  const { data } = await server.headless({ action: 'read_output', session_id: 'dropped', ...wait })
  expect(data.result).toMatchObject({ state: 'exited', stdout: 'finished\n' })
})

test('a client that cancels by its message stops the command, also from another connection', async () => {
  const line = server.place.shell(`echo $$ > ${server.work}/cancelled; sleep 60`)
  const session = await newSession()
  const call = post(callOf({ action: 'run', ...line, request_id: 'cancelled' }), session)
  await eventually('it runs', () => server.place.read('work/cancelled') !== '')
  const pid = Number(server.place.read('work/cancelled'))
  const cancel = { method: 'notifications/cancelled', params: { requestId: 7, reason: 'user pressed stop' } }
  await (await post({ jsonrpc: '2.0', ...cancel }, session)).text()
  await eventually('it is gone', () => !isAlive(pid))
  await (await call).body?.cancel()
})

test('one client cannot cancel the call of another', async () => {
  const line = server.place.shell(`echo $$ > ${server.work}/other; sleep 1; echo finished`)
  const [mine, other] = [await newSession(), await newSession()]
  const call = post(callOf({ action: 'run', ...line, request_id: 'other' }), mine)
  await eventually('it runs', () => server.place.read('work/other') !== '')
  const cancel = { method: 'notifications/cancelled', params: { requestId: 7, reason: 'user pressed stop' } }
  await (await post({ jsonrpc: '2.0', ...cancel }, other)).text()
  expect(await (await call).text()).toContain('finished')
})

test('answers of a call go to the client that asked, many at once', async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, (_, i) => server.connect(i % 2 ? 'auto' : 'legacy')))
  const answers = await Promise.all(
    clients.flatMap(({ call }, i) =>
      [1, 2, 3].map(async n => {
        const word = `${i}-${n}`
        const { data } = await call('memory_terminal', { action: 'run', ...server.place.shell(`printf %s ${word}`) })
        return { word, stdout: data.result.stdout, error: data.error?.message }
      }),
    ),
  )
  expect(answers.filter(({ word, stdout }) => word !== stdout)).toEqual([])
})
