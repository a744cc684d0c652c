import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { drawnText } from '../../src/contract/drawn-text.ts'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'

let host: BrowserHost
let window: WindowPage
let client: FakeClient
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window()
  client = await host.live.client()
})
afterAll(() => host.close())
const asked: string[] = []
afterEach(async () => {
  for (const request_id of asked.splice(0)) client.send({ type: 'cancel', request_id, trace_id: 'trace_1' })
  await window.page.locator('[data-item]').first().waitFor({ state: 'detached' })
  expect(window.complaints).toEqual([])
})

function asks(command: string, more: Record<string, unknown> = {}): string {
  const id = client.command(command, { working_directory: host.live.place.work, approval_required: true, ...more })
  asked.push(id)
  return id
}

/** Shows a command, reads what a person would, and takes the question back. */
async function shownAs(command: string, more: Record<string, unknown> = {}): Promise<string> {
  const id = asks(command, more)
  await window.page.locator('[data-command]').waitFor()
  const text = await window.commandText()
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
  asked.splice(asked.indexOf(id), 1)
  await window.page.locator('[data-command]').waitFor({ state: 'detached' })
  return text
}

const DECEPTIONS = [
  'echo safe \u202e# txt.exe',
  'echo a\u200bb',
  'git\u00a0status',
  'echo \u001b[2K\u001b[1Gharmless',
  'echo one\rtwo',
  `echo start${' '.repeat(300)}; rm x`,
  'сurl https://example.com',
  'echo ‹U+200B› ⏎ · ⇥',
  'echo a\u0301\u0301\u0301\u0301',
  'echo שלום مرحبا',
  'echo \u{e0041}\u{e0042} tags',
  'cat <<X\n  two  blanks \n\ttab\nX',
  'echo ｆｕｌｌ',
  'echo 👩‍💻',
]

test('§4: what is on the screen is what would run: nothing hides, turns round, joins or looks like another', async () => {
  for (const command of DECEPTIONS) expect(await shownAs(command)).toBe(drawnText(command))
  const all = DECEPTIONS.map(drawnText)
  expect(new Set(all).size).toBe(DECEPTIONS.length)
}, 60_000)

test('text is drawn from left to right in the order of its bytes, also where its script goes the other way', async () => {
  const id = asks('echo אבג123')
  const code = window.page.locator('[data-command] [data-row]')
  await code.waitFor()
  const places = await code.evaluate(row => {
    const walker = row.ownerDocument.createTreeWalker(row, 4)
    const lefts: number[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let i = 0; i < (node.textContent ?? '').length; i++) {
        const range = row.ownerDocument.createRange()
        range.setStart(node, i)
        range.setEnd(node, i + 1)
        lefts.push(range.getBoundingClientRect().left)
      }
    return lefts
  })
  expect(places.length).toBe('echo אבג123'.length)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
})

/** Two hundred ways to be markup: each would leave a mark on the page if any of it were read as such. */
function payloads(): string[] {
  const acts = [
    'onerror',
    'onload',
    'onfocus autofocus',
    'onmouseover',
    'onanimationstart',
    'ontoggle open',
    'onpointerenter',
    'onbegin',
  ]
  const tags = [
    'img src=x',
    'svg',
    'iframe src=javascript:hurt()',
    'details',
    'video src=x',
    'body',
    'input',
    'math',
    'marquee',
    'object data=x',
  ]
  const wraps = [(t: string) => t, (t: string) => `"><${t}`, (t: string) => `</code></pre>${t}`]
  const made = tags.flatMap(tag => acts.map(act => `<${tag} ${act}=hurt()>`))
  const more = [
    '<script>hurt()</script>',
    '<style>*{display:none}</style>',
    '<base href=//evil>',
    '<!--',
    '{{hurt()}}',
    '&lt;script&gt;',
    '<a href="javascript:hurt()">x</a>',
    '<form action=//evil><button>',
    '<link rel=stylesheet href=//evil>',
    '<meta http-equiv=refresh content=0>',
  ]
  return [...wraps.flatMap(wrap => made.map(wrap)).slice(0, 200), ...more]
}

test('§4: two hundred pieces of markup are only text, wherever an agent can put them, and nothing runs', async () => {
  const { page } = window
  let hurt = 0
  await page.exposeFunction('hurt', () => {
    hurt += 1
  })
  const all = payloads()
  const id = asks(`/bin/echo ${all.join(' ')}`, {
    context: all.slice(0, 40).join(' ').slice(0, 4000),
    env: { X: all.slice(40, 80).join('') },
  })
  await page.locator('[data-command]').waitFor()
  expect(await window.commandText()).toBe(drawnText(`/bin/echo ${all.join(' ')}`))
  const made = page.locator(
    '[data-ask] :is(img, iframe, video, object, math, marquee, form, a, script, style, link, base, meta)',
  )
  expect([await made.count(), hurt]).toEqual([0, 0])
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
  await page.locator('[data-command]').waitFor({ state: 'detached' })
}, 60_000)

test('a question that takes the place of another under the pointer is not answered by the click', async () => {
  const { page } = window
  const first = asks('/bin/echo first')
  const button = await window.armed()
  const box = await button.boundingBox()
  if (!box) throw new Error('no button')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  client.send({ type: 'cancel', request_id: first, trace_id: 'trace_1' })
  const second = asks('/bin/echo second')
  await page.locator('[data-command]', { hasText: 'second' }).waitFor()
  await page.mouse.up()
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.locator('[data-notice]').first().waitFor()
  expect(await page.locator('[data-over]').count()).toBe(0)
  await window.armed()
  await page.locator('[data-decline]').click()
  expect(await client.response(second)).toMatchObject({ status: 'declined' })
})

test('new questions come last and move no other', async () => {
  const { page } = window
  asks('/bin/echo a')
  const first = page.locator('[data-item]').first()
  await first.waitFor()
  const before = await first.boundingBox()
  const card = await page.locator('[data-command]').boundingBox()
  for (const command of ['/bin/echo b', '/bin/echo c']) asks(command)
  await page.locator('[data-count]', { hasText: '3' }).waitFor()
  expect(await first.boundingBox()).toEqual(before)
  expect(await page.locator('[data-command]').boundingBox()).toEqual(card)
  expect(await page.locator('[data-item]').allInnerTexts()).toEqual(
    ['a', 'b', 'c'].map(name => expect.stringContaining(`/bin/echo ${name}`)),
  )
  expect(await page.title()).toBe('(3) Interactive Terminal')
})

test('of two windows the first answer counts, and the other one shows it', async () => {
  // While one can be seen, no second one is opened.
  await window.cover(true)
  const other = await host.window()
  await window.cover(false)
  const id = asks('/bin/echo both')
  await Promise.all([window.armed(), other.armed()])
  await Promise.all([other.page.locator('[data-over=approved]').waitFor(), window.approve()])
  expect(await client.response(id)).toMatchObject({ status: 'approved' })
  await other.page.context().close()
})

test('a window that is loaded again is let in again and shows what is open; a copy of its address is not', async () => {
  const { page } = window
  const id = asks('/bin/echo again')
  await window.armed()
  await page.reload()
  await window.admitted()
  await window.approve()
  expect(await client.response(id)).toMatchObject({ status: 'approved' })
  const copy = await page.context().newPage()
  await copy.goto(page.url())
  await copy.locator('[data-shut]', { hasText: 'Only the host can open this window' }).waitFor()
  await copy.close()
})

test('what is in view of a covered window was not seen, and cannot be approved', async () => {
  const { page } = window
  await window.cover(true)
  const id = asks('/bin/echo covered')
  await page.locator('[data-command]').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.locator('[data-notice]').first().waitFor()
  expect(await page.locator('[data-approve]').getAttribute('aria-disabled')).toBe('true')
  await window.cover(false)
  await window.approve()
  expect(await client.response(id)).toMatchObject({ status: 'approved' })
})

test('a lost connection comes back by itself, and what was open can still be answered', async () => {
  const cut: (() => void)[] = []
  const page = await host.page()
  await page.routeWebSocket('**/feed', socket => {
    const server = socket.connectToServer()
    cut.push(() => {
      void server.close()
      void socket.close({ code: 1011 })
    })
  })
  await window.cover(true)
  const other = await host.window({}, page)
  await window.cover(false)
  const id = asks('/bin/echo twice connected')
  await other.armed()
  for (const one of cut.splice(0)) one()
  await expect.poll(() => cut.length, { timeout: 8000 }).toBe(1)
  await other.admitted()
  await other.approve()
  expect(await client.response(id)).toMatchObject({ status: 'approved' })
  await page.context().close()
})

test('whoever takes the host’s place after it is gone puts no word on the screen', async () => {
  let taken = false
  let cut = (): void => {}
  const page = await host.page()
  await page.routeWebSocket('**/feed', socket => {
    if (taken) {
      socket.onMessage(() => socket.send(JSON.stringify({ type: 'refused', reason: 'Run this to go on: curl evil' })))
      return
    }
    const server = socket.connectToServer()
    cut = () => {
      void server.close()
      void socket.close({ code: 1011 })
    }
  })
  await window.cover(true)
  const other = await host.window({}, page)
  await window.cover(false)
  taken = true
  cut()
  await other.page.locator('[data-shut]').waitFor()
  expect(await other.read('[data-shut]')).toMatch(
    /^This window is not connected\s+The host that opened this window has ended/,
  )
  await page.context().close()
})
