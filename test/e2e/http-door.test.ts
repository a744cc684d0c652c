import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { dialPsk } from '../../src/base/link/psk-socket.ts'
import { commandLine } from '../drivers/command-line.ts'
import { endOf, type OpenedHttp, openHttp } from '../drivers/mcp-client.ts'
import { Place, PRODUCT } from '../drivers/place.ts'

/** The door of MCP over HTTP, knocked at with plain requests. */
let server: OpenedHttp
beforeAll(async () => {
  server = await openHttp()
})
afterAll(() => server.close())

interface Knock {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string | undefined>
  readonly body?: string
  readonly agent?: Agent
}

interface Heard {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: string
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'knock', version: '1' } },
})

function knock({ method = 'POST', path = '/mcp', headers = {}, body = INITIALIZE, agent }: Knock = {}): Promise<Heard> {
  const given = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${server.token}`,
    ...headers,
  }
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.url)
    const call = request({ host: '127.0.0.1', port, method, path, headers: sent, ...(agent && { agent }) })
    call.setTimeout(10_000, () => call.destroy(new Error('no answer')))
    call.once('error', reject)
    call.once('response', response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
      response.once('error', reject)
    })
    call.end(method === 'POST' ? body : undefined)
  })
}

/** Sends it as it is; the first line of the answer. */
function raw(text: string): Promise<string> {
  const { port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text.replaceAll('PORT', port)))
    socket.on('data', chunk => {
      heard += chunk.toString('utf8')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(heard.split('\r\n')[0] ?? ''))
  })
}

const NO_TOKEN = { authorization: undefined }

test.each<[string, Knock, number]>([
  ['with the token comes in', {}, 200],
  ['without a token stays outside', { headers: { authorization: undefined } }, 401],
  ['with a wrong token stays outside', { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }, 401],
  ['with an empty token stays outside', { headers: { authorization: 'Bearer ' } }, 401],
  ['under another host name stays outside', { headers: { host: 'evil.test' } }, 403],
  ['under another port stays outside', { headers: { host: '127.0.0.1:1' } }, 403],
  ['from a page of another site stays outside', { headers: { origin: 'http://evil.test' } }, 403],
  ['from a page without an address stays outside', { headers: { origin: 'null' } }, 403],
  ['at another path finds nothing', { path: '/' }, 404],
  ['at a path that only looks alike finds nothing', { path: '/mcp/../mcp' }, 404],
  ['without a session cannot listen', { method: 'GET' }, 400],
  ['with a session that never was is told so', { headers: { 'mcp-session-id': 'gone' } }, 404],
  ['ending a session that never was is told so', { method: 'DELETE', headers: { 'mcp-session-id': 'gone' } }, 404],
  ['with a body that is no JSON is told so', { body: '{' }, 400],
  ['with an empty body is told so', { body: '' }, 400],
  ['with a body that is no message is told so', { body: '[1,2' }, 400],
])('§3: a request %s', async (_, what, status) => {
  const heard = await knock(what)
  expect({ status: heard.status, token: heard.body.includes(server.token) }).toEqual({ status, token: false })
  expect((await knock()).status).toBe(200)
})

test.each<[string, (token: string) => Knock]>([
  ['in the address', token => ({ path: `/mcp?token=${token}&access_token=${token}`, headers: NO_TOKEN })],
  ['in a cookie', token => ({ headers: { ...NO_TOKEN, cookie: `token=${token}` } })],
  ['as a password', token => ({ headers: { authorization: `Basic ${btoa(`x:${token}`)}` } })],
  ['with its end missing', token => ({ headers: { authorization: `Bearer ${token.slice(0, -1)}` } })],
  ['with something behind it', token => ({ headers: { authorization: `Bearer ${token}x` } })],
])('§3: the token %s opens nothing', async (_, shown) => {
  expect((await knock(shown(server.token))).status).toBe(401)
})

test('§3: a message that two readers could cut differently is refused', async () => {
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAuthorization: Bearer ${server.token}\r\n`
  const smuggled = [
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\n\r\n',
    'Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde',
    'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    'X: a\nContent-Length: 1\r\n\r\n0',
  ]
  for (const rest of smuggled) expect(await raw(`${head}${rest}`)).toMatch(/^HTTP\/1.1 400 /)
})

test('A26: whoever has the token is an agent and nothing more', async () => {
  const { port, approver_port } = JSON.parse(server.place.read('home/state/host.json')) as Record<string, number>
  const { call } = await server.connect('legacy')
  const { data } = await call('memory_terminal_interactive', {
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command: 'touch ran-by-token' },
    runtime: { approval_timeout_ms: 1000 },
  })
  expect([data.error === null, existsSync(join(server.work, 'ran-by-token'))]).toEqual([false, false])
  const key = createHash('sha256').update(server.token).digest()
  for (const at of [port, approver_port])
    for (const identity of ['approver', 'local', 'host', 'bridge'])
      await expect(
        dialPsk({
          host: '127.0.0.1',
          port: at ?? 0,
          identity,
          key,
          timeoutMs: 5000,
          clock: systemClock,
          signal: new AbortController().signal,
        }),
      ).rejects.toThrow()
})

test('who lacks the token is told what kind is wanted', async () => {
  const { headers } = await knock({ headers: { authorization: undefined } })
  expect(headers['www-authenticate']).toBe('Bearer')
})

test('§3: a page of another site gets no permission by asking first', async () => {
  const { status, headers } = await knock({
    method: 'OPTIONS',
    headers: { origin: 'http://evil.test', 'access-control-request-method': 'POST' },
  })
  expect({ status, allowed: headers['access-control-allow-origin'] }).toEqual({ status: 403, allowed: undefined })
})

test('§3: a message that is too large is refused as too large', async () => {
  const heard = await knock({ body: JSON.stringify({ filling: 'x'.repeat(33 * 1024 * 1024) }) })
  expect(heard.status).toBe(413)
  expect((await knock()).status).toBe(200)
})

test('a session ends when its client says so, and only that one', async () => {
  const [first, second] = [await knock(), await knock()].map(({ headers }) => String(headers['mcp-session-id']))
  const ping = (id = '') =>
    knock({
      headers: { 'mcp-session-id': id, 'mcp-protocol-version': '2025-06-18' },
      body: '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    })
  expect((await ping(first)).status).toBe(200)
  const ended = await knock({
    method: 'DELETE',
    headers: { 'mcp-session-id': first, 'mcp-protocol-version': '2025-06-18' },
  })
  expect(ended.status).toBe(200)
  expect([(await ping(first)).status, (await ping(second)).status]).toEqual([404, 200])
})

test('only this machine is served', async () => {
  const outside = await fetch(server.url.replace('127.0.0.1', '[::1]')).then(
    () => 'answered',
    () => 'nobody there',
  )
  expect(outside).toBe('nobody there')
})

test('clients of both generations share one server and see each other’s runs', async () => {
  const [old, young] = [await server.connect('legacy'), await server.connect('auto')]
  await old.call('memory_terminal', { action: 'run', command: 'true', request_id: 'shared' })
  const { data } = await young.call('memory_terminal', { action: 'read_output', session_id: 'shared' })
  expect(data.result).toMatchObject({ state: 'exited', exit_code: 0 })
})

describe('the token', () => {
  test('lies in a file only its owner can read, and is told nowhere', () => {
    const file = join(server.home, 'state', 'http-token')
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect(readFileSync(file, 'utf8').trim()).toBe(server.token)
    expect(server.log()).not.toContain(server.token)
  })

  test('is not passed on to the commands that run', async () => {
    const { data } = await server.headless({ action: 'run', ...server.place.shell('/usr/bin/env') })
    expect(data.result.exit_code).toBe(0)
    expect(data.result.stdout).not.toContain(server.token)
    expect(data.result.stdout).not.toContain('PM_TERM_')
  })
})

/** Starts it, waits for its end, and tells what it said. */
async function started(place: Place, args: readonly string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [PRODUCT, ...args], { cwd: place.work, env: place.env() })
  const late = setTimeout(() => void endOf(child), 30_000)
  let said = ''
  child.stdout.on('data', chunk => {
    said += chunk
  })
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  clearTimeout(late)
  return { code, said }
}

describe('it does not start', () => {
  test('with a token that others can read', async () => {
    const place = new Place()
    const file = place.write('home/state/http-token', `${'a'.repeat(43)}\n`)
    chmodSync(file, 0o644)
    const { code, said } = await started(place, ['--http-port', '0'])
    place.remove()
    expect({ code, said: said.trim() }).toEqual({
      code: 2,
      said: `Others can read ${file}. Remove it, and a new token is made.`,
    })
  })

  test('on a port that is taken, and says which and what to do', async () => {
    const port = new URL(server.url).port
    const place = new Place()
    const { code, said } = await started(place, ['--http-port', port])
    place.remove()
    expect({ code, said }).toEqual({
      code: 2,
      said: expect.stringContaining(
        `Port ${port} on 127.0.0.1 cannot be used (EADDRINUSE). Choose another: --http-port.`,
      ),
    })
  })

  test('with a setting that is wrong, and names it', async () => {
    const place = new Place()
    const { code, said } = await started(place, ['--http-port', 'lots'])
    place.remove()
    expect({ code, said: said.trim() }).toEqual({
      code: 2,
      said: expect.stringMatching(
        /^PM_TERM_HTTP_PORT must be a whole number from 0 to 65535\. See ".*interactive-terminal\.cjs"? doctor"\.$/,
      ),
    })
  })
})

test('whether it lives is told to anybody, and nothing else is', async () => {
  const asked = await knock({ method: 'GET', path: '/health', headers: { authorization: undefined }, body: '' })
  expect([asked.status, Object.keys(JSON.parse(asked.body) as object)]).toEqual([200, ['status', 'version']])
  expect((await knock({ path: '/health', headers: { authorization: undefined } })).status).toBe(405)
  expect(
    (await knock({ method: 'GET', path: '/health/x', headers: { authorization: undefined }, body: '' })).status,
  ).toBe(401)
})

test('§3: whether it lives is told to no page that bent a name to this machine', async () => {
  const asked = (headers: Record<string, string>) =>
    knock({ method: 'GET', path: '/health', headers: { authorization: undefined, ...headers }, body: '' })
  const evil = [
    await asked({ host: 'evil.test:3000' }),
    await asked({ host: 'evil.test' }),
    await asked({ host: 'localhost' }),
  ]
  expect(evil.map(({ status, body }) => [status, body.includes('version')])).toEqual(evil.map(() => [403, false]))
})

test('§3: two Host headers are refused, whichever of them is ours', async () => {
  const { port } = new URL(server.url)
  const ask = (...hosts: readonly string[]) =>
    raw(`GET /health HTTP/1.1\r\n${hosts.map(host => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`)
  const own = `127.0.0.1:${port}`
  expect(await ask(own)).toContain('200')
  expect(await ask(own, 'evil.test')).toContain('400')
  expect(await ask('evil.test', own)).toContain('400')
  expect(await ask(own, own)).toContain('400')
})

test('§3: however many connect without the token, whoever has it is served', async () => {
  const crowd: Socket[] = []
  const half = (text: string) =>
    new Promise<void>(resolve => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text, () => resolve()))
      socket.on('error', () => resolve())
      crowd.push(socket)
    })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect((await knock({ agent })).status).toBe(200)
  for (let i = 0; i < 530; i++) await half(i % 2 ? 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n' : '')
  // Who came before them, and who comes after them.
  expect((await knock({ agent })).status).toBe(200)
  for (let i = 0; i < 4; i++) expect((await knock()).status).toBe(200)
  // One in the middle of its request that does not end it is no better than one that says nothing.
  for (let i = 0; i < 300; i++) await half('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{')
  expect((await knock({ agent })).status).toBe(200)
  for (const socket of crowd) socket.destroy()
  agent.destroy()
})

test('on a person’s own machine it listens on loopback and nowhere else', async () => {
  const place = new Place()
  const said = await commandLine(place, ['--http-address', '0.0.0.0'])
  place.remove()
  expect(said).toMatchObject({ code: 2, out: expect.stringContaining('only in a container') })
})
