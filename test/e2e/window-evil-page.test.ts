import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../drivers/chromium.ts'
import type { FakeClient, LiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { openWindowHost, ticketIn } from '../drivers/window.ts'

/** A person has the window open, and in the same browser a page that wants to answer for them. */
let live: LiveHost
let opened: { readonly url: string }[]
let port: number
let browser: Browser
let context: BrowserContext
let window: Page
let evil: Server
let evilPort: number
let client: FakeClient
let asked: string
const seen: IncomingHttpHeaders[] = []
const secrets: string[] = []

beforeAll(async () => {
  evil = createServer((request, response) => {
    seen.push(request.headers)
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>evil</title><body>')
  })
  evilPort = await new Promise<number>(resolve =>
    evil.listen(0, '127.0.0.1', () => resolve((evil.address() as { port: number }).port)),
  )
  ;({ live, opened } = await openWindowHost())
  port = live.host.approverPort
  browser = await launchChromium({ args: ['--host-resolver-rules=MAP *.evil.test 127.0.0.1'] })
  context = await browser.newContext()
  await context.addInitScript({ path: join(import.meta.dirname, '../drivers/evil-attempts.js') })
  window = await context.newPage()
  const showing = live.host.showWindow()
  await eventually('a window is opened', () => opened.length > 0)
  const ticket = ticketIn(opened[0] ?? { url: '' })
  secrets.push(ticket.secret)
  await window.goto(`http://localhost:${port}/#ticket=${ticket.id}.${ticket.secret}`)
  await showing
  client = await live.client()
  asked = client.command('/bin/echo must not run')
  await window.getByText('/bin/echo must not run').first().waitFor()
})
afterAll(async () => {
  await browser.close()
  evil.close()
  await live.close()
})

async function evilPage(address = `http://localhost:${evilPort}/`): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return page
}

/** The question still waits, nobody has answered it, and nobody new may answer. */
async function nothingHappened(): Promise<void> {
  const witness = await live.client()
  witness.ask('list')
  const { approvers, items } = await witness.heard.next('listed')
  witness.link.close('seen')
  const run = items.find(({ session_id }) => session_id === asked)
  expect([approvers, run?.state]).toEqual([1, 'awaiting_approval'])
  expect(live.journal().filter(({ kind }) => kind === 'approver_admitted')).toHaveLength(1)
}

/** Runs one of test/drivers/evil-attempts.js in the page. */
const attempt = <T>(page: Page, name: string, what: unknown): Promise<T> =>
  page.evaluate(`attempts.${name}(${JSON.stringify(what)})`)

test('§3: a page of another origin can read nothing, whichever way it fetches', async () => {
  const page = await evilPage()
  const results = await attempt<Record<string, string>>(page, 'fetches', `http://localhost:${port}/`)
  expect(Object.keys(results)).toHaveLength(6)
  expect(Object.values(results).filter(result => result !== 'blocked' && result !== 'opaque 0')).toEqual([])
  await nothingHappened()
  await page.close()
})

test('§3: a page of another origin cannot open the feed', async () => {
  const feeds = ['localhost', '127.0.0.1', '[::1]'].map(name => `ws://${name}:${port}/feed`)
  for (const origin of [`http://localhost:${evilPort}/`, `http://127.0.0.1:${evilPort}/`, 'data:text/html,null']) {
    const page = await evilPage(origin)
    expect([origin, await attempt(page, 'sockets', feeds)]).toEqual([origin, ['refused', 'refused', 'refused']])
    await page.close()
  }
  await nothingHappened()
})

test.each(['localhost', '127.0.0.1', '[::1]'])(
  '§3: none of the quiet ways of a page leads in: events, pictures, styles, workers, beacons, prefetching, at %s',
  async name => {
    const page = await evilPage()
    for (const path of ['/', '/feed'])
      expect(await attempt(page, 'quietWays', `http://${name}:${port}${path}`)).toEqual({
        events: 'refused',
        picture: 'refused',
        style: 'refused',
        preload: 'refused',
        worker: 'SecurityError',
        serviceWorker: 'SecurityError',
      })
    await nothingHappened()
    await page.close()
  },
)

test('§3: the window cannot be put into a frame, an object or an embed', async () => {
  const page = await evilPage()
  expect(await attempt(page, 'frames', `http://localhost:${port}/`)).not.toContain('Waiting')
  for (const frame of page.frames().slice(1)) expect(await frame.locator('#window').count()).toBe(0)
  await nothingHappened()
  await page.close()
})

test('§3: scripts of the window do not load elsewhere', async () => {
  const page = await evilPage()
  const addresses = (await window.evaluate('[...document.scripts].map(script => script.src)')) as string[]
  expect(addresses.length).toBeGreaterThan(0)
  expect(await attempt(page, 'scripts', addresses)).toEqual(addresses.map(() => 'refused'))
  await page.close()
})

test('§3: a page that opens the window gets no hold of it, and no approver', async () => {
  const page = await evilPage()
  const [popup] = await Promise.all([context.waitForEvent('page'), attempt(page, 'popUp', `http://localhost:${port}/`)])
  await popup.waitForLoadState()
  // The browser cuts them apart: to the page that opened it, it looks closed.
  await eventually('they are apart', async () => {
    const held = JSON.stringify(await attempt(page, 'hold', null))
    return held === '[true,"undefined"]' || held === '["no access"]'
  })
  expect(await popup.evaluate('window.opener')).toBeNull()
  await nothingHappened()
  await popup.close()
  await page.close()
})

test('§3: a form of another origin changes nothing', async () => {
  const page = await evilPage()
  const answered = page.waitForResponse(response => response.url() === `http://localhost:${port}/feed`)
  await attempt(page, 'form', `http://localhost:${port}/feed`)
  expect((await answered).status()).toBe(403)
  await nothingHappened()
  await page.close()
})

test('§3: a name that was bent to this machine (DNS rebinding) is not served', async () => {
  const page = await context.newPage()
  const response = await page.goto(`http://www.evil.test:${port}/`)
  expect([response?.status(), await page.locator('#window').count()]).toEqual([421, 0])
  const elsewhere = await evilPage(`http://www.evil.test:${evilPort}/`)
  expect(await attempt(elsewhere, 'sockets', [`ws://www.evil.test:${port}/feed`])).toEqual(['refused'])
  await nothingHappened()
  await page.close()
  await elsewhere.close()
})

test('the window leaves nothing that a dev server on localhost could catch', async () => {
  const kept = await attempt<Record<string, unknown>>(window, 'kept', null)
  expect(kept).toMatchObject({ cookies: '', databases: [], caches: [], address: `http://localhost:${port}/`, name: '' })
  expect(await context.cookies()).toEqual([])
  const page = await evilPage()
  await page.evaluate("fetch('/collect', { credentials: 'include' }).then(() => undefined)")
  await page.close()
  expect(seen.length).toBeGreaterThan(1)
  expect(seen.filter(headers => headers.cookie !== undefined)).toEqual([])
  const everything = JSON.stringify([kept, await context.storageState(), seen])
  for (const secret of secrets) expect(everything).not.toContain(secret)
  expect(kept.stored).not.toMatch(/[0-9a-f]{64}/)
})

test('code that got into the window could neither run nor send anything out', async () => {
  const outcome = await attempt(window, 'fromInside', `http://localhost:${evilPort}/`)
  const names = ['html', 'script', 'attribute', 'fetch', 'socket', 'policy', 'picture']
  expect(outcome).toEqual({
    tried: { ...Object.fromEntries(names.map(name => [name, 'TypeError'])), eval: 'EvalError' },
    ran: 0,
  })
})
