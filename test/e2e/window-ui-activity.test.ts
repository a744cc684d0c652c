import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

let host: BrowserHost
let window: WindowPage
let client: FakeClient
let headless: Opened
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window()
  client = await host.live.client()
  headless = await openStdio({ place: host.live.place })
})
afterAll(async () => {
  await headless?.close()
  await host.close()
})

const there = () => ({ working_directory: host.live.place.work, workspace_id: 'test' })
const inGroup = (kind: string) => window.page.locator(`[data-activity-group=${kind}]`)

test('the page Activity shows what happened without the person, in both lanes, and how much of it is new', async () => {
  await client.response(client.command('ls', there()))
  await client.response(client.command('rm -rf /', there()))
  const expired = client.command('/bin/echo too late', { ...there(), approval_timeout_ms: 1500 })
  await client.response(expired)
  await headless.headless({ action: 'run', command: 'pwd' })
  await headless.headless({ action: 'run', command: 'touch made' })

  const { page } = window
  await page.locator('[data-news]').waitFor()
  await page.locator('[data-page-link=activity]').click()
  await inGroup('headless').waitFor()
  expect(await inGroup('blocked').locator('[data-activity-item]').allInnerTexts()).toEqual([
    expect.stringContaining('touch made'),
    expect.stringContaining('rm -rf /'),
  ])
  expect(await inGroup('expired').innerText()).toContain('/bin/echo too late')
  expect(await inGroup('by_rule').innerText()).toContain('ls')
  expect(await inGroup('headless').innerText()).toContain('pwd')
  // What destroys is neither asked again nor made a rule.
  const wiping = inGroup('blocked').locator('[data-activity-item]', { hasText: 'rm -rf /' })
  expect(await wiping.locator('button').count()).toBe(0)
  await page.locator('[data-news]').waitFor({ state: 'detached' })
})

test('asking again is a question like any other: nothing runs before it is approved', async () => {
  const { page } = window
  const made = join(host.live.place.work, 'made')
  await inGroup('blocked')
    .locator('[data-activity-item]', { hasText: 'touch made' })
    .locator('[data-ask-again]')
    .click()
  await page.locator('[data-item].arrive').click()
  await window.armed()
  expect(await window.commandText()).toBe('touch made')
  expect(existsSync(made)).toBe(false)
  await window.approve()
  await expect.poll(() => existsSync(made)).toBe(true)
})

test('making a rule is a card with the rule on it, and it counts once it is approved', async () => {
  const { page } = window
  await page.locator('[data-page-link=activity]').click()
  await inGroup('blocked')
    .locator('[data-activity-item]', { hasText: 'touch made' })
    .locator('[data-make-rule]')
    .click()
  await page.locator('[data-item].arrive').click()
  await window.armed()
  expect(await page.locator('[data-ask]').innerText()).toContain('touch made')
  await window.approve()
  await page.locator('[data-item]').first().waitFor({ state: 'detached' })
  // From now on nobody is asked.
  expect(await client.response(client.command('touch made', there()))).toMatchObject({
    status: 'approved',
    exit_code: 0,
  })
  expect(await page.locator('[data-item]').count()).toBe(0)
  expect(window.complaints).toEqual([])
})
