import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { openStdio } from '../drivers/mcp-client.ts'
import { leaveOldRuns } from '../drivers/old-runs.ts'

let host: BrowserHost
let client: FakeClient
let window: WindowPage
beforeAll(async () => {
  host = await BrowserHost.open()
  client = await host.live.client()
  window = await host.window()
})
afterAll(() => host.close())

const asks = (command: string, more = {}) =>
  client.command(command, { working_directory: host.live.place.work, ...more })

async function openHistory(): Promise<void> {
  await window.page.locator('[data-page-link=history]').click()
  await settled()
}
/** The list is complete, as far as it is shown. */
const settled = () => window.page.locator('[data-history-status]', { hasText: /all there is|scroll|None of/ }).waitFor()
const rows = async () =>
  (await window.page.locator('[data-run]').allInnerTexts()).map(text =>
    text.replaceAll('\u00ad', '').replaceAll(/\s+/g, ' '),
  )

test('the page History has every run of both lanes, newest first: command, ending, who approved, where', async () => {
  const server = await openStdio({ place: host.live.place, named: { name: 'codex', version: '7' } })
  await server.headless({ action: 'run', command: 'git --version' })
  await server.close()
  const ran = asks('/bin/sh -c "echo \u202eout; exit 3"')
  await window.approve()
  await client.response(ran)
  const declined = asks('/bin/echo never')
  await window.armed()
  await window.settled()
  await window.page.locator('[data-decline]').click()
  await client.response(declined)

  await openHistory()
  await expect.poll(rows).toHaveLength(3)
  const [never, failed, headless] = await rows()
  expect(never).toMatch(/^\/bin\/echo never declined .*“test client 1”.*In a terminal$/)
  expect(failed).toMatch(/U\+202E.* exit 3 .* approved by you in the window at \d\d:\d\d:\d\d .*In a terminal$/)
  expect(headless).toMatch(/^git --version exit 0 .*“codex 7”.* allowed by a rule · \d+ ms · Headless$/)
})

test('runs are found by what is in the command, by ending, lane, agent and folder; with the keyboard alone', async () => {
  leaveOldRuns(host.live.state, 800, { cwd: host.live.place.work, hours: 1 })
  const { page } = window
  await page.locator('[data-filter=command]').fill('STEP-77')
  await page.locator('[data-history-status]', { hasText: '11 runs' }).waitFor()
  await page.locator('[data-filter=outcome]').selectOption('Another exit code')
  await page.locator('[data-history-status]', { hasText: '3 runs.' }).waitFor()
  expect((await rows()).map(row => /step-\d+ exit \d/.exec(row)?.[0])).toEqual([
    'step-777 exit 2',
    'step-770 exit 2',
    'step-77 exit 2',
  ])
  await page.locator('[data-filter=command]').fill('nothing like this')
  await page.locator('[data-history-status]', { hasText: 'None of 803 runs fits.' }).waitFor()

  await page.locator('[data-filter=command]').fill('')
  await page.locator('[data-filter=outcome]').selectOption('Any ending')
  await page.locator('[data-filter=agent]').fill('codex')
  await page.locator('[data-history-status]', { hasText: '1 run.' }).waitFor()
  await page.locator('[data-filter=agent]').fill('')
  await page.locator('[data-filter=lane]').selectOption('In a terminal')
  await page.locator('[data-history-status]', { hasText: '2 runs.' }).waitFor()

  await page.locator('[data-filter=lane]').focus()
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'ArrowDown']) await page.keyboard.press(key)
  const focused = await page.evaluate<string>('document.activeElement.dataset.run ?? document.activeElement.outerHTML')
  expect(focused).toBe(await page.locator('[data-run]').nth(1).getAttribute('data-run'))
  expect(window.complaints).toEqual([])
})

test('of ten thousand runs only those in view are drawn, and the oldest is reached by scrolling', async () => {
  leaveOldRuns(host.live.state, 10_000, { cwd: host.live.place.work, hours: 2 })
  const { page } = window
  await page.locator('[data-filter=lane]').selectOption('Any lane')
  await page.locator('[data-history-status]', { hasText: 'The newest' }).waitFor()
  await expect
    .poll(async () => {
      await page.evaluate('document.querySelector("[data-runs]").scrollTo(0, 1e9)')
      return page.locator('[data-history-status]').innerText()
    })
    .toBe('10803 runs. That is all there is.')
  await page.evaluate('document.querySelector("[data-runs]").scrollTo(0, 1e9)')
  await page.locator('[data-run=req_2_1]').waitFor()
  expect(await page.locator('[data-run]').count()).toBeLessThan(40)
})
