import { afterAll, beforeAll, expect, test } from 'vitest'
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

const asks = (command: string, more: Record<string, unknown> = {}): string =>
  client.command(command, { working_directory: host.live.place.work, ...more })
const cancel = (request_id: string) => client.send({ type: 'cancel', request_id, trace_id: 'trace_1' })
const foot = (text: string | RegExp) => window.page.locator('[data-foot]', { hasText: text }).waitFor()
const none = () => window.page.locator('[data-item]').first().waitFor({ state: 'detached' })

test('§4: what never ran is told as what it is, below its terminal and in the list of runs', {
  timeout: 60_000,
}, async () => {
  const { page } = window
  await client.response(asks('/bin/echo late', { approval_timeout_ms: 1200 }))
  await none()
  await foot('Expired: nobody answered. It never ran')
  const declined = asks('/bin/echo no')
  await window.armed()
  await page.keyboard.press('r')
  await page.locator('[data-decide] input:focus').fill('not now')
  await page.keyboard.press('Enter')
  await client.response(declined)
  await none()
  await foot('Declined by you: not now. It never ran')
  const gone = asks('/bin/echo gone')
  await window.armed()
  cancel(gone)
  await none()
  await foot('Withdrawn by the agent. It never ran')
  expect(await page.locator('[aria-label=Run] option').allInnerTexts()).toEqual([
    '1: /bin/echo late · expired',
    '2: /bin/echo no · declined',
    '3: /bin/echo gone · withdrawn',
  ])
  await page.locator('[aria-label=Run]').selectOption({ index: 0 })
  await foot(/echo late.*Expired/)
  expect(await page.getByText('exit code').count()).toBe(0)
})

test('an edited line is shown as what ran, with what was asked for beside it', { timeout: 30_000 }, async () => {
  const { page } = window
  const id = asks('/bin/echo original')
  await window.armed()
  await page.keyboard.press('e')
  await page.locator('[data-line]').fill('/bin/echo mine')
  await page.locator('[data-judged=approval]').waitFor()
  await window.approve()
  expect(await client.response(id)).toMatchObject({ command_executed: '/bin/echo mine', exit_code: 0 })
  await none()
  await foot(/\/bin\/echo mine\s*you ran it instead of \/bin\/echo original\s*Exit code 0/)
  expect((await page.locator('[aria-label=Run] option').allInnerTexts()).at(-1)).toMatch(/: \/bin\/echo mine · exit 0$/)
})

test('who ended a command is said: the agent, the time limit, or you', { timeout: 60_000 }, async () => {
  const { page } = window
  const runs = async (more: Record<string, unknown> = {}): Promise<string> => {
    const id = asks('/bin/sleep 600', more)
    await window.approve()
    await none()
    return id
  }
  const killed = await runs()
  await foot(/sleep 600.*Running/)
  client.ask('kill', { session_id: killed })
  await foot('Ended by the agent')
  await runs({ timeout_seconds: 1 })
  await foot('Ended by its time limit')
  const mine = await runs()
  await foot(/sleep 600.*Running/)
  const tabs = await page.locator('[data-tab]').count()
  await page.getByRole('button', { name: 'End this and open your shell here' }).click()
  const dialog = page.locator('dialog[open]', { hasText: 'It ends /bin/sleep 600' })
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await foot(/sleep 600.*Running/)
  await page.getByRole('button', { name: 'End this and open your shell here' }).click()
  await page.locator('[data-close-terminal]').click()
  expect(await client.response(mine)).toMatchObject({ state: 'killed', ended_by: 'person' })
  await page.locator('[data-tab]').nth(tabs).waitFor()
  await window.shows(/[$#]/)
  await page.locator('[data-tab] button').first().click()
  await foot('Ended by you')
})
