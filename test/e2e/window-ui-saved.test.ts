import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SavedCommandsFile } from '../../src/contract/disk/saved-commands.ts'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'

let host: BrowserHost
let window: WindowPage
let client: FakeClient
beforeAll(async () => {
  host = await BrowserHost.open()
  host.live.place.allow()
  window = await host.window()
  client = await host.live.client()
})
afterAll(() => host.close())

const FILE = 'home/data/test/saved-commands.v1.json'
const onDisk = () =>
  SavedCommandsFile.parse(JSON.parse(readFileSync(join(host.live.place.root, FILE), 'utf8'))).commands
const row = (name: string) => window.page.locator('[data-saved]', { hasText: name })

async function openPage(): Promise<void> {
  await window.page.locator('[data-page-link=saved]').click()
  await window.page.locator('[data-project=test]').waitFor()
}

/** With the keyboard alone, from the button on. */
async function saves(name: string, command: string): Promise<void> {
  const { page } = window
  await page.locator('[data-save-new]').focus()
  await page.keyboard.press('Enter')
  const dialog = page.locator('[data-save-dialog]')
  await dialog.getByLabel('Project').locator('option').first().waitFor({ state: 'attached' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Command').fill(command)
  await dialog.getByLabel('Name').press('Enter')
}

test('a person saves a command for a project, changes it, runs it in a shell of theirs and deletes it', async () => {
  const { page } = window
  await openPage()
  await saves('answer', 'echo "first try"')
  await row('answer').waitFor()
  await page.getByRole('button', { name: 'Edit answer' }).click()
  const dialog = page.locator('[data-save-dialog]')
  await dialog.getByLabel('Command').fill('echo "saved $((40+2))" in "$PWD"')
  await dialog.locator('[data-save]').click()
  await row('saved $((40+2))').waitFor()
  await page.getByRole('button', { name: 'Run answer' }).click()
  await window.shows(`saved 42 in ${host.live.place.work}`)
  const id = (await page.locator('[data-tab] [aria-current]').locator('..').getAttribute('data-tab')) ?? ''

  await openPage()
  await row('answer')
    .getByText(/^last run /)
    .waitFor()
  await page.locator('[data-run-in]').selectOption(id)
  await page.getByRole('button', { name: 'Run answer' }).click()
  await page.locator(`[data-terminal="${id}"]`).waitFor()
  await expect.poll(async () => (await window.screen()).match(/^saved 42 in/gm)?.length).toBe(2)
  const [kept] = onDisk()
  expect(kept).toMatchObject({ name: 'answer', command: 'echo "saved $((40+2))" in "$PWD"' })
  expect(kept?.last_used_at).not.toBeNull()
  const received = host.live.journal().filter(({ kind, body }) => kind === 'received' && body.includes('saved $((40'))
  expect(received).toHaveLength(2)

  await openPage()
  await page.getByRole('button', { name: 'Delete answer' }).click()
  await page.locator('[data-delete-saved]').click()
  await row('answer').waitFor({ state: 'detached' })
  expect(onDisk()).toEqual([])
})

test('a command is saved from its card, where no key of the dialog decides, and from its block when it ran', async () => {
  const { page } = window
  await page.getByRole('button', { name: 'Start' }).click()
  const id = client.command('/bin/echo from a card', {
    working_directory: host.live.place.work,
    approval_required: true,
  })
  await window.armed()
  await page.locator('[data-save-card]').click()
  const dialog = page.locator('[data-save-dialog]')
  await dialog.getByLabel('Project').locator('option').first().waitFor({ state: 'attached' })
  await dialog.getByLabel('Name').fill('carded')
  await dialog.getByLabel('Command').focus()
  await page.keyboard.press('Control+Enter')
  expect(await dialog.getByLabel('Command').inputValue()).toBe('/bin/echo from a card')
  await page.locator('[data-ask] [data-decline]').waitFor()
  await dialog.locator('[data-save]').click()
  await dialog.waitFor({ state: 'detached' })
  expect(onDisk().map(({ name, command }) => [name, command])).toEqual([['carded', '/bin/echo from a card']])
  await window.approve()
  expect(await client.response(id)).toMatchObject({ exit_code: 0 })

  await page.locator('[data-block] [data-save-run]').click()
  expect(await dialog.getByLabel('Command').inputValue()).toBe('/bin/echo from a card')
  await page.keyboard.press('Escape')
})

test('a saved command is put forward as a rule: a question like any other, and nothing is allowed before the answer', async () => {
  const { page } = window
  await openPage()
  await page.getByRole('button', { name: 'Allow carded without asking…' }).click()
  await page.locator('[data-item]').last().click()
  await page.locator('[data-ask]', { hasText: '/bin/echo from a card' }).waitFor()
  const rules = () => host.live.place.read('home/data/test/terminal-allowlist.json')
  expect(rules()).not.toContain('from a card')
  await window.approve()
  await expect.poll(rules).toContain('/bin/echo from a card')
})

test('what the file says otherwise by now, and what is never run, is not run; a broken file is said and left as it is', async () => {
  const { page } = window
  const { place } = host.live
  await openPage()
  await saves('evil', 'rm -rf /')
  await page.getByRole('button', { name: 'Run evil' }).click()
  await page
    .getByText(/It did not run: .*/)
    .first()
    .waitFor()
  await row('evil').waitFor()
  place.write(FILE, place.read(FILE).replace('/bin/echo from a card', '/bin/echo from elsewhere'))
  await page.getByRole('button', { name: 'Run carded' }).click()
  await page.getByText('The file has another line by now.').first().waitFor()
  await row('/bin/echo from elsewhere').waitFor()

  place.write(FILE, '{ "workspace_id": "test", "comm')
  await page.locator('[data-page-link=status]').click()
  await openPage()
  await page.locator('[data-problem]', { hasText: 'is not JSON: half-written or broken' }).waitFor()
  await saves('more', 'ls')
  await page.locator('[data-save-dialog] [data-problem]', { hasText: 'Fix or remove it first' }).waitFor()
  expect(place.read(FILE)).toBe('{ "workspace_id": "test", "comm')
})
