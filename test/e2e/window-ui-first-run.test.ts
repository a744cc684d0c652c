import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import { PRODUCT } from '../drivers/place.ts'

let host: BrowserHost
let window: WindowPage
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window()
})
afterAll(() => host.close())

test('an empty window teaches: what to copy for a client is there, and copied as it stands', async () => {
  const { page } = window
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const entry = await page.locator('[data-entry]').innerText()
  await page.getByRole('button', { name: 'Copy entry for Claude Code' }).click()
  await page.getByRole('button', { name: 'Copied entry for Claude Code' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(entry)
})

test('a first question comes at a click, by the way every question takes, and is answered here', async () => {
  const { page } = window
  await page.locator('[data-demo]').click()
  await window.armed()
  expect(await window.commandText()).toBe('/bin/echo "Hello from your agent"')
  await Promise.all([page.locator('[data-over=approved]').waitFor(), window.approve()])
  expect(window.complaints).toEqual([])
})

test('the address holds no ticket once the page is there, and the page keeps no secret on disk', async () => {
  const { page } = window
  expect(new URL(page.url()).hash).toBe('')
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  expect(kept).toMatch(/^\[\{\},\{"interactive-terminal\.tab":"[0-9a-f-]{36}"\},""\]$/)
})

test('the first paint needs at most 20 KB, and terminals are loaded only when one is shown', async () => {
  const web = join(PRODUCT, '../web')
  const html = readFileSync(join(web, 'index.html'), 'utf8')
  const first = ['index.html', ...[...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file)]
  const bytes = first.reduce((sum, file) => sum + gzipSync(readFileSync(join(web, file))).length, 0)
  expect(first.length).toBe(3)
  expect(bytes).toBeLessThan(20 * 1024)
  const page = await host.page()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await window.cover(true)
  const other = await host.window({}, page)
  await other.page.locator('[data-start]').waitFor()
  const terminal = readdirSync(join(web, 'assets')).filter(file => file.startsWith('terminal-pane'))
  expect(terminal.length).toBeGreaterThan(0)
  expect(asked.filter(path => terminal.some(file => path.endsWith(file)))).toEqual([])
  await page.context().close()
  await window.cover(false)
})
