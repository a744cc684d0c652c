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
/** The block of the command that is shown. */
const block = (text: string | RegExp) => window.page.locator('[data-block]', { hasText: text }).waitFor()
/** The list of commands of the terminal that is shown, each row in words; then it is closed again. */
async function listed(): Promise<string[]> {
  const { page } = window
  await page.locator('[data-all-blocks]').click()
  await page.locator('[data-block-row]').first().waitFor()
  const rows = await page.locator('[data-block-row] > button:first-child').allInnerTexts()
  await page.keyboard.press('Escape')
  await page.locator('[data-block-row]').first().waitFor({ state: 'detached' })
  return rows.map(row => row.replaceAll('\u00ad', '').replaceAll(/\s+/g, ' '))
}
const none = () => window.page.locator('[data-item]').first().waitFor({ state: 'detached' })

test('§4: what never ran is told as what it is, above its terminal and in the list of commands', {
  timeout: 60_000,
}, async () => {
  const { page } = window
  await client.response(asks('/bin/echo late', { approval_timeout_ms: 1200 }))
  await none()
  await block('Expired: nobody answered. It never ran')
  const declined = asks('/bin/echo no')
  await window.armed()
  await page.keyboard.press('r')
  await page.locator('[data-decide] input:focus').fill('not now')
  await page.keyboard.press('Enter')
  await client.response(declined)
  await none()
  await block('Declined by you: not now. It never ran')
  const gone = asks('/bin/echo gone')
  await window.armed()
  cancel(gone)
  await none()
  await block('Withdrawn by the agent. It never ran')
  expect(await listed()).toEqual([
    '/bin/echo late “test client 1” expired',
    '/bin/echo no “test client 1” declined',
    '/bin/echo gone “test client 1” withdrawn',
  ])
  await page.locator('[data-all-blocks]').click()
  await page.locator('[data-block-row] > button').first().click()
  await block(/echo late.*Expired/)
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
  await block(/\/bin\/echo mine.*Exit code 0.*you ran it instead of \/bin\/echo original/)
  expect((await listed()).at(-1)).toMatch(/^\/bin\/echo mine .* exit 0$/)
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
  await block(/sleep 600.*Running/)
  client.ask('kill', { session_id: killed })
  await block('Ended by the agent')
  await runs({ timeout_seconds: 1 })
  await block('Ended by its time limit')
  const mine = await runs()
  await block(/sleep 600.*Running/)
  const tabs = await page.locator('[data-tab]').count()
  await page.getByRole('button', { name: 'End this and open your shell here' }).click()
  const dialog = page.locator('dialog[open]', { hasText: 'It ends /bin/sleep 600' })
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await block(/sleep 600.*Running/)
  await page.getByRole('button', { name: 'End this and open your shell here' }).click()
  await page.locator('[data-close-terminal]').click()
  expect(await client.response(mine)).toMatchObject({ state: 'killed', ended_by: 'person' })
  await page.locator('[data-tab]').nth(tabs).waitFor()
  await window.shows(/[$#]/)
  await page.locator('[data-tab] button').first().click()
  await block('Ended by you')
})

test('a person stops a command from its block: it is asked first, counts while it runs, and says who ended it', {
  timeout: 60_000,
}, async () => {
  const { page } = window
  const id = asks('/bin/sleep 601')
  await window.approve()
  await none()
  const shown = page.locator('[data-block]', { hasText: 'sleep 601' })
  await shown.locator('[data-ran]', { hasText: /^[1-9].* s$/ }).waitFor()
  expect(await window.read(`[data-block="${id}"]`)).toContain('test client 1')
  await page.getByRole('button', { name: 'Stop /bin/sleep 601' }).click()
  const dialog = page.locator('dialog[open]', { hasText: 'It ends /bin/sleep 601, with everything it started' })
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await block(/sleep 601.*Running/)
  await page.locator('[data-stop]').focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-close-terminal]').click()
  expect(await client.response(id)).toMatchObject({ state: 'killed', ended_by: 'person' })
  await block(/sleep 601.*Ended by you/)
  expect(await page.locator('[data-stop]').count()).toBe(0)
  const rows = host.live.journal().filter(({ kind }) => kind === 'terminal_changed')
  expect(JSON.parse(rows.at(-1)?.body ?? '')).toMatchObject({ action: 'stopped_run', run_id: id })
})

test('a command that waits for its turn is stopped from the list, and never runs', { timeout: 60_000 }, async () => {
  const { page } = window
  const first = asks('/bin/sleep 602')
  await window.approve()
  await none()
  const { terminal_id } = await client.heard.next('accepted', frame => frame.request_id === first)
  const second = asks('/bin/echo never', { terminal_id })
  await page.locator('[data-foot] [data-waiting]').waitFor()
  await page.locator('[data-all-blocks]').click()
  const row = page.locator('[data-block-row]', { hasText: 'echo never' })
  await row.getByText('waits its turn').waitFor()
  await row.locator('[data-stop]').click()
  await page.locator('[data-close-terminal]').click()
  expect(await client.response(second)).toMatchObject({ state: 'withdrawn' })
  await row.getByText('withdrawn').waitFor()
  client.ask('kill', { session_id: first })
  await client.response(first)
})
