import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'

let host: BrowserHost
let window: WindowPage
let client: FakeClient
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window()
  client = await host.live.client('local', 'ses_cut')
})
afterAll(() => host.close())

test('one agent is cut off on the page Status: its question goes, and it is heard again only when it is started anew', async () => {
  const { page } = window
  client.command('/bin/echo never', { working_directory: host.live.place.work, workspace_id: 'test' })
  await window.armed()
  await page.locator('[data-page-link=status]').click()
  await page.locator('[data-cut-off-agent]').click()
  await page.locator('[data-cut-off]').click()
  await expect.poll(() => client.closed).not.toBe(null)
  await page.locator('[data-page=status]', { hasText: 'No agent is connected.' }).waitFor()
  await page.locator('[data-item]').first().waitFor({ state: 'detached' })
  expect(host.live.journal().filter(({ kind }) => kind === 'agent_cut_off')).toHaveLength(1)

  // The same server comes back and is not heard; one that was started anew is.
  await expect(host.live.client('local', 'ses_cut')).rejects.toThrow()
  const fresh = await host.live.client('local', 'ses_fresh')
  const id = fresh.command('ls', { working_directory: host.live.place.work, workspace_id: 'test' })
  expect(await fresh.response(id)).toMatchObject({ status: 'approved' })
  expect(window.complaints).toEqual([])
})
