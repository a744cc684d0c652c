import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'

let host: BrowserHost
let client: FakeClient
beforeAll(async () => {
  host = await BrowserHost.open()
  client = await host.live.client()
})
afterAll(() => host.close())

const flip = (window: WindowPage, name: string) => window.page.getByRole('switch', { name })
const looks = async (window: WindowPage) => ({
  theme: await window.page.evaluate<string>('document.documentElement.dataset.theme'),
  dark: await flip(window, 'Dark').getAttribute('aria-checked'),
  sound: await flip(window, 'Sound').getAttribute('aria-checked'),
})
const kept = () =>
  JSON.parse(readFileSync(join(host.live.place.home, 'state', 'window-preferences.v1.json'), 'utf8')) as unknown
/** As a person closes it, and the host has noticed. */
async function closed(window: WindowPage): Promise<void> {
  await window.page.context().close()
  await expect
    .poll(async () => {
      const asked = client.ask('status')
      return (await client.heard.next('status_answered', ({ request_id }) => request_id === asked)).windows
    })
    .toBe(0)
}
const LIGHT = { theme: 'light', dark: 'false', sound: 'false' }
const DARK = { theme: 'dark', dark: 'true', sound: 'true' }

/** Every theme the page ever had, and how often it played a note. */
const WITNESS = `{
  window.themes = []
  new MutationObserver(() => {
    const { theme } = document.documentElement?.dataset ?? {}
    if (theme && theme !== window.themes.at(-1)) window.themes.push(theme)
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-theme'] })
  window.played = 0
  const { start } = OscillatorNode.prototype
  OscillatorNode.prototype.start = function (when) {
    window.played += 1
    return start.call(this, when)
  }
}`

test('dark and sound, once chosen, are there in the next window, which is never drawn light', async () => {
  const first = await host.window()
  await expect.poll(() => looks(first)).toEqual(LIGHT)
  await flip(first, 'Dark').click()
  await flip(first, 'Sound').click()
  await expect.poll(kept).toMatchObject({ theme: 'dark', sound: true, notifications: null })
  expect([await looks(first), first.complaints]).toEqual([DARK, []])
  await closed(first)

  const asked = client.command('/bin/echo who opens the window', { working_directory: host.live.place.work })
  // A context of its own is a browser profile of its own: nothing of the first is in it.
  const page = await host.page()
  await page.addInitScript({ content: WITNESS })
  const second = await host.window({}, page)
  await expect.poll(() => looks(second)).toEqual(DARK)
  expect(await page.evaluate('window.themes')).toEqual(['dark'])
  // The question that opened the window is announced as the person likes it.
  await expect.poll(() => page.evaluate('window.played')).toBe(2)
  client.send({ type: 'cancel', request_id: asked, trace_id: 'trace_1' })
  await closed(second)
})

test('a window that is open hears what was chosen in another', async () => {
  const one = await host.window()
  await expect.poll(() => looks(one)).toEqual(DARK)
  await one.cover(true)
  // What it says next the host hears after that, and opens another.
  await flip(one, 'Sound').click()
  await expect.poll(kept).toMatchObject({ theme: 'dark', sound: false, notifications: null })
  const other = await host.window()
  await expect.poll(() => looks(other)).toEqual({ ...DARK, sound: 'false' })
  await flip(other, 'Dark').click()
  await flip(other, 'Sound').click()
  await expect.poll(() => looks(one)).toEqual({ ...LIGHT, sound: 'true' })
  expect([await looks(other), one.complaints, other.complaints]).toEqual([{ ...LIGHT, sound: 'true' }, [], []])
  await one.page.context().close()
  await closed(other)
})

/** A browser that has not been asked yet, and what the person answers when it is. */
const browserAsks = (answer: string): string => `{
  window.asked = 0
  window.Notification = class {
    static permission = 'default'
    static async requestPermission() {
      window.asked += 1
      return (this.permission = ${JSON.stringify(answer)})
    }
  }
}`

async function windowWhere(answer: string): Promise<WindowPage> {
  const page = await host.page()
  await page.addInitScript({ content: browserAsks(answer) })
  return host.window({}, page)
}

test('a new browser is asked for notifications only if the person wants them, and its no is remembered', async () => {
  const asked = (window: WindowPage) => window.page.evaluate('window.asked')
  const bell = (window: WindowPage) => flip(window, 'Notifications').getAttribute('aria-checked')
  const wish = () => (kept() as { notifications: unknown }).notifications
  const first = await windowWhere('granted')
  expect([await asked(first), await bell(first)]).toEqual([0, 'false'])
  await flip(first, 'Notifications').click()
  await expect.poll(wish).toBe(true)
  await closed(first)

  const second = await windowWhere('granted')
  await expect.poll(() => bell(second)).toBe('true')
  expect(await asked(second)).toBe(1)
  await closed(second)

  const third = await windowWhere('denied')
  await expect.poll(wish).toBe(false)
  expect([await asked(third), await bell(third)]).toEqual([1, 'false'])
  await closed(third)

  const fourth = await windowWhere('granted')
  // It has heard everything: what is asked at the start was asked.
  await flip(fourth, 'Sound').click()
  await expect.poll(() => (kept() as { sound: unknown }).sound).toBe(false)
  expect([await asked(fourth), await bell(fourth)]).toEqual([0, 'false'])
  await closed(fourth)
})

test('text size and the late sound, chosen under Settings, count at once and are kept', async () => {
  const window = await host.window()
  const { page } = window
  await page.locator('[data-page-link=settings]').click()
  await page.locator('[data-setting=font-size]').selectOption('18')
  await page.locator('[data-setting=late-sound]').uncheck()
  await expect.poll(kept).toMatchObject({ terminal_font_size: 18, late_sound: false })
  await window.newShell()
  const rowHeight = (): Promise<number> =>
    page.evaluate('document.querySelector(".xterm-rows > div").getBoundingClientRect().height')
  await expect.poll(rowHeight).toBeGreaterThan(20)
  expect(window.complaints).toEqual([])
  await closed(window)
})

test('the page Status says who is connected, how the host is, and what you were asked and said today', async () => {
  const window = await host.window()
  const { page } = window
  const asked = client.command('/bin/echo counted', { working_directory: host.live.place.work })
  await window.approve()
  await client.response(asked)
  await page.locator('[data-page-link=status]').click()
  await page.locator('[data-numbers]', { hasText: 'Questions' }).waitFor()
  expect(await page.locator('[data-numbers]').innerText()).toMatch(/Questions\s+\d+\s+\d+ approved, 0 declined/)
  expect(await page.locator('[data-agents]').innerText()).toContain('test client')
  expect(await page.locator('[data-page=status]').innerText()).toMatch(/Terminals\s+running/)
  await page.keyboard.press('Escape')
  await page.locator('[data-page=status]').waitFor({ state: 'detached' })
  expect(window.complaints).toEqual([])
  await closed(window)
})

test('how long a question waits is chosen in the settings, counts for the next one, and a request may still say otherwise', async () => {
  const window = await host.window()
  const { page } = window
  await page.locator('[data-page-link=settings]').click()
  // Away from the list: what is over stays there while somebody points at it.
  await page.mouse.move(700, 20)
  const wait = page.locator('[data-setting=question_wait_s]')
  await wait.focus()
  await wait.selectOption({ label: '2 min' })
  await expect.poll(kept).toMatchObject({ question_wait_s: 120 })
  const waits = async (command: string, more: object = {}) => {
    const id = client.command(command, { working_directory: host.live.place.work, ...more })
    const words = page.locator('[data-ask]', { hasText: command }).getByText(/expires in/)
    await words.waitFor()
    const text = await words.innerText()
    client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
    await window.empty()
    return text
  }
  await page.keyboard.press('Escape')
  expect(await waits('/bin/echo as chosen')).toMatch(/expires in 1:5\d|expires in 2:00/)
  expect(await waits('/bin/echo as asked', { approval_timeout_ms: 40_000 })).toMatch(/expires in 0:[34]\d/)

  await page.locator('[data-page-link=settings]').click()
  await wait.selectOption({ value: '' })
  await expect.poll(kept).toMatchObject({ question_wait_s: null })
  expect(window.complaints).toEqual([])
  await closed(window)
})
