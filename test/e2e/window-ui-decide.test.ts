import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'

/** A card is decided by its command: why it is wanted, what it is, what it does (ADR 71). */
let host: BrowserHost
let window: WindowPage
let client: FakeClient
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window({ width: 1280, height: 620 })
  client = await host.live.client()
})
afterAll(() => host.close())
afterEach(async () => {
  client.takeBack()
  await window.empty()
  expect(window.complaints).toEqual([])
})

const asks = (command: string, more: Record<string, unknown> = {}): string =>
  client.asks(command, { working_directory: host.live.place.work, workspace_id: 'test', ...more })
const top = async (selector: string): Promise<number> =>
  (await window.page.locator(selector).first().boundingBox())?.y ?? Number.NaN

test('why an agent wants it comes first, marked as not checked, then the command in the largest letters, then what it does', async () => {
  asks('npm install lodash', { context: 'The tests need it.' })
  await window.armed()
  const places = await Promise.all(['[data-context]', '[data-command]', '[data-effects]', '[data-cwd]'].map(top))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(await window.page.getByText('The agent’s own words, not checked').isVisible()).toBe(true)
  expect(await window.read('[data-effects]')).toContain('downloads packages')
  const sizes = (await window.page.evaluate(
    `[...document.querySelectorAll('[data-ask] *')].map(each => [parseFloat(getComputedStyle(each).fontSize), each.closest('[data-command]') !== null])`,
  )) as [number, boolean][]
  const largest = Math.max(...sizes.map(([size]) => size))
  expect(sizes.filter(([size]) => size === largest).every(([, isCommand]) => isCommand)).toBe(true)
})

test('of many words of an agent the first are shown, so that the command stays in view, and all of them at a click', async () => {
  const context = 'It is really needed. '.repeat(60).trim()
  asks('/bin/echo words', { context })
  await window.armed()
  expect((await window.read('[data-context]')).length).toBeLessThan(400)
  await window.page.locator('[data-says-more]').click()
  expect(await window.read('[data-context]')).toBe(context)
})

test('only the command has to be read: programs, reasons and ids are folded away below it', async () => {
  const id = asks('cat a | sort | uniq -c | tr a b | cut -c1 | head -n3 | wc -l | tee b.txt')
  await window.armed()
  expect(await window.page.locator('[data-unseen]').count()).toBe(0)
  expect(await window.page.locator('[data-reasons]').isVisible()).toBe(false)
  await window.page.locator('[data-details] summary').click()
  expect(await window.page.locator('[data-reasons]').isVisible()).toBe(true)
  const scrolls =
    '(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector("[data-body]"))'
  expect(await window.page.evaluate(scrolls)).toBe(true)
  await window.approve()
  expect(await client.response(id)).toMatchObject({ status: 'approved' })
})

test('T trusts the folder with the answer, and takes it back', async () => {
  const shop = join(host.live.place.root, 'trusted-by-key')
  mkdirSync(join(shop, '.git'), { recursive: true })
  const id = asks('expr keyed', { working_directory: shop, workspace_id: undefined })
  await window.armed()
  const isOn = () => window.page.locator('[data-trust]').isChecked()
  for (const expected of [true, false, true]) {
    await window.page.keyboard.press('t')
    expect(await isOn()).toBe(expected)
    await window.armed()
  }
  await window.approve()
  expect(await client.response(id)).toMatchObject({ approved_by: 'person' })
  expect(JSON.parse(host.live.place.read('home/data/trusted-by-key/workspace.v1.json'))).toMatchObject({
    trusted: true,
  })
})
