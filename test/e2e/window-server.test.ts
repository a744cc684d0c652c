import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { FakeWindow, openWindow, openWindowHost } from '../drivers/window.ts'

let live: LiveHost
let port: number
let opened: { readonly url: string }[]
beforeAll(async () => {
  ;({ live, opened } = await openWindowHost())
  port = live.host.approverPort
})
afterAll(() => live.close())

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}
const NAVIGATION = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const SCRIPT = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'script' }

/** As a browser, or somebody who pretends to be one, would ask. `null` leaves a header out. */
function ask(path: string, headers: Record<string, string | null> = {}, how: { method?: string; at?: string } = {}) {
  const all = { host: `localhost:${port}`, ...(path === '/' ? NAVIGATION : SCRIPT), ...headers }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Record<string, string>
  return new Promise<Answer>((resolve, reject) => {
    const asked = request({
      host: how.at ?? '127.0.0.1',
      port,
      path,
      method: how.method ?? 'GET',
      headers: sent,
      setHost: false,
    })
    asked.on('response', response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    asked.on('error', reject)
    asked.end()
  })
}
const script = async () => /src="(\/assets\/[^"]+\.js)"/.exec((await ask('/')).body)?.[1] ?? ''

test('the page and its parts are served to a browser of this machine, on both loopback addresses', async () => {
  const page = await ask('/')
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect((await ask('/', {}, { at: '::1' })).status).toBe(200)
  const part = await ask(await script())
  expect([part.status, part.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
})

test('every answer, also a refusal, forbids inline code, frames, sniffing and caching', async () => {
  for (const answer of [
    await ask('/'),
    await ask(await script()),
    await ask('/nothing'),
    await ask('/', { host: 'evil' }),
  ]) {
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'/,
    )
    expect(answer.headers['content-security-policy']).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*/)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
})

test.each([
  ['another host name (DNS rebinding)', { host: 'evil.example:9101' }, 421],
  ['the address instead of the name', { host: 'PORT-127.0.0.1' }, 421],
  ['a host name without a port', { host: 'localhost' }, 421],
  ['a host name with a dot at the end', { host: 'PORT-localhost.' }, 421],
  ['no host name', { host: null }, 421],
  ['another origin', { origin: 'http://evil.example' }, 403],
  ['the origin of a dev server beside it', { origin: 'http://localhost:3000' }, 403],
  ['no origin at all (null)', { origin: 'null' }, 403],
  ['the origin with https', { origin: 'PORT-https://localhost' }, 403],
  ['a frame', { 'sec-fetch-dest': 'iframe' }, 403],
  ['an embedded object', { 'sec-fetch-dest': 'embed' }, 403],
  [
    'a fetch of another site',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
    403,
  ],
  ['a program that is no browser', { 'sec-fetch-mode': null, 'sec-fetch-dest': null, 'sec-fetch-site': null }, 403],
] as [string, Record<string, string | null>, number][])(
  '§3: the page is not given to %s',
  async (_, headers, status) => {
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value?.startsWith('PORT-') ? `${value.slice(5)}:${port}` : value,
      ]),
    )
    const answer = await ask('/', filled)
    expect([answer.status, answer.body.includes('<html')]).toEqual([status, false])
  },
)

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD'])('nothing can be changed with %s', async method => {
  expect((await ask('/', {}, { method })).status).toBe(405)
})

test.each([
  '/index.html',
  '/../package.json',
  '/assets/../../app.cjs',
  '/%2e%2e/app.cjs',
  '/assets/',
  '//',
  '/?x=1',
  '/feed',
  '/app.cjs',
])('%s is not in the list, so there is nothing', async path => {
  expect([403, 404]).toContain((await ask(path)).status)
})

test('a part of the page is not given to other sites, or for another use', async () => {
  const path = await script()
  expect((await ask(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await ask(path, { 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect((await ask(path, { 'sec-fetch-dest': 'style' })).status).toBe(403)
  expect((await ask(path, { 'sec-fetch-site': null })).status).toBe(403)
})

test.each([
  ['another origin', { origin: 'http://evil.example' }, 403],
  ['no origin', { origin: '' }, 403],
  ['another host name', { host: 'evil.example' }, 421],
  ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['the same site on another port', { 'sec-fetch-site': 'same-site' }, 403],
] as [string, Record<string, string>, number][])('§3: the feed does not open for %s', async (_, headers, status) => {
  await expect(FakeWindow.connect(port, headers)).rejects.toThrow(`refused with ${status}`)
})

test('the feed is at one address', async () => {
  await expect(FakeWindow.connect(port, {}, '/')).rejects.toThrow('refused with 404')
  await expect(FakeWindow.connect(port, {}, '/feed?x')).rejects.toThrow('refused with 404')
})

test('windows and approvers in terminals share the port', async () => {
  const [terminal, window] = [await live.approver(), await openWindow(live, opened)]
  const told = await window.heard.next('presence', frame => frame.approvers === 2)
  expect(told).toMatchObject({ approvers: 2, pending: 0 })
  terminal.link.close('done')
  window.close()
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a header without end', Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\nx: y\r\n')],
  ['noise', Buffer.from([0, 1, 2, 3, 255])],
  ['half a TLS handshake', Buffer.from([0x16, 3, 1, 2, 0, 1])],
])('§3: whoever sends %s and waits is shown out', async (_, bytes) => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  socket.write(bytes)
  await eventually('the connection ends', () => socket.destroyed, 15_000)
})

test('a header without measure, and a frame without measure, end the connection', async () => {
  const long = connect(port, '127.0.0.1')
  long.on('error', () => {})
  long.resume()
  long.write(`GET / HTTP/1.1\r\nhost: localhost:${port}\r\nx: ${'y'.repeat(64 * 1024)}`)
  await eventually('the header ends it', () => long.destroyed)
  const window = await FakeWindow.connect(port)
  window.socket.send(`{"type":"${'x'.repeat(2 * 1024 * 1024)}"}`)
  await eventually('the frame ends it', () => window.closed !== null)
  expect(window.closed).toBe(1009)
})

/** A host whose port somebody else has on ::1. On 127.0.0.1 a test beside this one may have that number: then another is taken. */
async function hostBesideSquatter(tries = 5) {
  const squatter = createServer()
  await once(squatter.listen({ host: '::1', port: 0 }), 'listening')
  const { port: taken } = squatter.address() as AddressInfo
  try {
    const squatted = await openWindowHost({ env: { PM_TERM_APPROVER_PORT: String(taken) } })
    return { squatter, taken, squatted }
  } catch (cause) {
    squatter.close()
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries <= 1) throw cause
    return hostBesideSquatter(tries - 1)
  }
}

test('with somebody else on ::1 no window opens, and why is said; terminals can still answer', async () => {
  const { squatter, taken, squatted } = await hostBesideSquatter()
  try {
    expect(await squatted.live.host.showWindow()).toEqual({
      shown: false,
      message: `There is no window, because another program holds [::1]:${taken} (EADDRINUSE). To answer without a window: "interactive-terminal approve" in a terminal.`,
    })
    expect(squatted.opened).toEqual([])
    await squatted.live.approver()
  } finally {
    await squatted.live.close()
    squatter.close()
  }
})
