import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
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
afterEach(async () => {
  client.takeBack()
  await window.empty()
  expect(window.complaints).toEqual([])
})

const asks = (command: string): string =>
  client.asks(command, { working_directory: host.live.place.work, workspace_id: 'test' })
const LONG = Array.from({ length: 300 }, (_, i) => `/bin/echo line ${i}`).join('\n')
const top = () => window.page.locator('[data-body]').evaluate(body => body.scrollTop)
const drawn = () =>
  window.page.evaluate(
    'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))',
  )

test.each(['[data-decline]', '[data-approve]', '[data-toggle=edit]', '[data-body]'])(
  'with the keyboard on %s the keys that move read on, and none of them decides or opens anything',
  { timeout: 30_000 },
  async place => {
    const { page } = window
    asks(LONG)
    await page.locator('[data-unseen]').waitFor()
    const to = async (key: string): Promise<number> => {
      await page.locator(place).focus()
      await page.keyboard.press(key)
      await drawn()
      return top()
    }
    const space = await to('Space')
    expect(space).toBeGreaterThan(100)
    expect(await to('PageDown')).toBe(2 * space)
    expect(await to('PageUp')).toBe(space)
    expect(await to('Shift+Space')).toBe(0)
    const down = await to('ArrowDown')
    expect(down).toBeGreaterThan(10)
    expect(await to('ArrowUp')).toBe(0)
    expect(await to('End')).toBeGreaterThan(10 * space)
    expect(await to('Home')).toBe(0)
    expect(
      await page.locator('[data-ask] :is(input:not([type=checkbox]), textarea), [data-over], [data-notice]').count(),
    ).toBe(0)
    expect(host.live.journal().filter(({ kind }) => kind === 'answered')).toEqual([])
  },
)

test('a script of 300 lines is read to its end and approved by keys alone', { timeout: 60_000 }, async () => {
  const { page } = window
  const id = asks(LONG)
  await page.locator('[data-unseen]').waitFor()
  for (let pages = 0; pages < 40 && (await page.locator('[data-unseen]').count()) > 0; pages++) {
    await page.keyboard.press('Space')
    await drawn()
  }
  await window.armed()
  await page.keyboard.press('Control+Enter')
  expect(await client.response(id)).toMatchObject({ status: 'approved', exit_code: 0 })
})

test('a no needs no delay: Enter counts the moment the card is there', async () => {
  const { page } = window
  for (let i = 0; i < 3; i++) {
    const id = asks(`/bin/echo ${i}`)
    await page.locator('[data-ask] [data-decline]:focus').waitFor()
    await page.keyboard.press('Enter')
    expect(await client.response(id)).toMatchObject({ status: 'declined' })
    await page.locator('[data-item]').first().waitFor({ state: 'detached' })
  }
  expect(await page.locator('[data-notice]').count()).toBe(0)
})

test('Enter sends the reason, right behind its last letter, and no label promises another key', async () => {
  const { page } = window
  const id = asks('/bin/echo reasoned')
  await window.armed()
  expect(await page.locator('[data-decide] kbd').allInnerTexts()).toEqual(['T', 'Ctrl ⏎', '2'])
  await page.keyboard.press('r')
  await page.locator('[data-decide] input:focus').waitFor()
  expect(await page.locator('[data-decide] kbd').allInnerTexts()).toEqual(['⏎'])
  await page.keyboard.type('not on a Friday')
  await page.keyboard.press('Enter')
  expect(await client.response(id)).toMatchObject({
    status: 'declined',
    error: { message: expect.stringContaining('not on a Friday') },
  })
})

test('S, E and R work wherever the keyboard is, and go on in what they open', async () => {
  const { page } = window
  asks('/bin/echo letters')
  await window.armed()
  for (const place of ['[data-decline]', '[data-item]', 'button[aria-label=Sound]'])
    for (const [key, opened] of [
      ['s', 'input[type=radio]:focus'],
      ['e', 'textarea:focus'],
      ['r', 'input.field:focus'],
    ] as const) {
      await page.locator(place).focus()
      await window.settled()
      await page.keyboard.press(key)
      await page.locator(`[data-decide] ${opened}`).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('[data-decide] :is(input:not([data-trust]), textarea)').waitFor({ state: 'detached' })
    }
})

test('who is impatient after an edit does not make it take longer', { timeout: 30_000 }, async () => {
  const { page } = window
  const id = asks('/bin/echo first')
  await window.armed()
  await page.keyboard.press('e')
  await page.locator('[data-line]').fill('/bin/echo second')
  await page.locator('[data-judged=approval]').waitFor()
  const from = performance.now()
  while (performance.now() - from < 5000 && (await page.locator('[data-over]').count()) === 0)
    await page.keyboard.press('Control+Enter')
  expect(await client.response(id)).toMatchObject({ status: 'approved', output: 'second\r\n' })
})

test('F6 types nothing into the shell', async () => {
  const { page } = window
  await window.newShell()
  await page.keyboard.type("cat -v; echo le''ft\n")
  asks('/bin/echo waits')
  await page.locator('[data-item]').waitFor()
  await page.keyboard.press('F6')
  await page.locator('[data-ask]').waitFor()
  await page.keyboard.press('F6')
  await page.locator('[data-screen] .xterm-helper-textarea').focus()
  await page.keyboard.type('typed\n')
  await page.keyboard.press('Control+d')
  await window.shows('left')
  expect(await window.screen()).toMatch(/^typed$/m)
  expect(await window.screen()).not.toMatch(/\^|\d~/)
  await page.keyboard.type('exit\n')
})

test('? shows the keys, and Escape puts them away', async () => {
  const { page } = window
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.keyboard.press('?')
  await page.locator('[data-keys]', { hasText: 'Read on' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[data-keys]').waitFor({ state: 'detached' })
})

test('what is said in passing is one line, covers nothing of the question, and goes with it', async () => {
  const { page } = window
  asks(LONG)
  const next = asks('/bin/echo the next one')
  await page.locator('[data-unseen]').waitFor()
  for (let i = 0; i < 4; i++) await page.keyboard.press('Control+Enter')
  const notice = page.locator('[data-notice]')
  await notice.waitFor()
  expect(await notice.count()).toBe(1)
  const covered = await notice.evaluate(line => {
    const { top, bottom, left, right } = line.getBoundingClientRect()
    const hits = [...document.querySelectorAll('h1, header p, [data-command], [data-decide] .button')].filter(part => {
      const box = part.getBoundingClientRect()
      const place = part.closest('[data-body]')?.getBoundingClientRect() ?? box
      const [from, to] = [Math.max(box.top, place.top), Math.min(box.bottom, place.bottom)]
      return from < bottom && to > top && box.left < right && box.right > left
    })
    return hits.map(part => part.tagName)
  })
  expect(covered).toEqual([])
  await page.locator('[data-decline]').focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-ask]', { hasText: 'the next one' }).waitFor()
  expect(await notice.count()).toBe(0)
  await page.locator('[data-decline]').click()
  expect(await client.response(next)).toMatchObject({ status: 'declined' })
})
