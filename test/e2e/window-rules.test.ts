import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import { commandLine } from '../drivers/command-line.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

let host: BrowserHost
let window: WindowPage
let client: FakeClient
let server: Opened
beforeAll(async () => {
  host = await BrowserHost.open()
  const { place } = host.live
  ;[window, client, server] = await Promise.all([
    host.window(),
    host.live.client(),
    openStdio({ place, env: { PM_TERM_PORT: String(host.live.host.port) } }),
  ])
  await openRules()
})
afterAll(async () => {
  await server.close()
  await host.close()
})

afterEach(() => expect(window.complaints.splice(0)).toEqual([]))

async function openRules(): Promise<void> {
  await window.page.locator('[data-page-link=rules]').click()
  await window.page.locator('[data-project=test]').waitFor()
}
const project = (id = 'test') => window.page.locator(`[data-project=${id}]`)
const pattern = (text: string, layer = 'base') => project().locator(`[data-layer=${layer}] [data-pattern="${text}"]`)

/** Types a rule into the form of a file. What it then says is up to the test. */
async function typesRule(text: string, layer = 'base'): Promise<void> {
  const file = project().locator(`[data-layer=${layer}]`)
  if (await file.locator('[data-add-rule]').isVisible()) await file.locator('[data-add-rule]').click()
  await file.locator('[data-new-pattern]').fill(text)
}
const save = () => project().locator('[data-save-rule][aria-disabled=false]')

/** How the line is answered in a terminal: by a rule, or with a question, which is then taken back. */
async function inWindow(command: string): Promise<'allowlist' | 'asked'> {
  const id = client.command(command, { working_directory: host.live.place.work })
  const kinds = () => host.live.journal().flatMap(({ kind, run_id }) => (run_id === id ? [kind] : []))
  await expect.poll(kinds).toEqual(expect.arrayContaining([expect.stringMatching(/^(asked|starting)$/)]))
  if (!kinds().includes('asked')) return 'allowlist'
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
  await client.response(id)
  return 'asked'
}
async function headless(command: string): Promise<string | null> {
  const { data } = await server.headless({ action: 'run', command, cwd: host.live.place.work })
  return (data.error as { code: string } | null | undefined)?.code ?? null
}
const changes = () =>
  host.live
    .journal()
    .filter(({ kind }) => kind === 'rules_changed')
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>)

test('a rule that a person adds on the page of rules counts at once in both lanes, is in the journal, and is gone when removed', async () => {
  expect([await inWindow('expr 2 + 3'), await headless('expr 2 + 3')]).toEqual(['asked', 'PM_TERM_APPROVAL_REQUIRED'])
  await typesRule('expr 2 *')
  await save().click()
  await pattern('expr 2 *').locator('[data-counts=true]').waitFor()
  expect([await inWindow('expr 2 + 3'), await headless('expr 2 + 3')]).toEqual(['allowlist', null])
  expect(changes().at(-1)).toMatchObject({
    workspace_id: 'test',
    layer: 'base',
    added: ['expr 2 *'],
    by: expect.stringMatching(/^window/),
  })

  await pattern('expr 2 *').getByRole('button', { name: 'Remove' }).click()
  await pattern('expr 2 *').waitFor({ state: 'detached' })
  expect([await inWindow('expr 2 + 3'), await headless('expr 2 + 3')]).toEqual(['asked', 'PM_TERM_APPROVAL_REQUIRED'])
  expect(changes().at(-1)).toMatchObject({
    workspace_id: 'test',
    removed: ['expr 2 *'],
    by: expect.stringMatching(/^window/),
  })
})

test('a rule for headless only needs approval in a terminal still', async () => {
  await typesRule('expr 7 *', 'headless')
  await save().click()
  await pattern('expr 7 *', 'headless').locator('[data-counts=true]').waitFor()
  expect([await inWindow('expr 7 + 1'), await headless('expr 7 + 1')]).toEqual(['asked', null])
})

test('what can be no rule cannot be saved and says why, and a wide one says how wide', async () => {
  await typesRule('rm -rf *')
  await project().locator('[data-rule-problem]', { hasText: 'cannot be a rule' }).waitFor()
  expect(await save().count()).toBe(0)
  await typesRule('mytool *')
  await project().locator('[data-rule-wide]', { hasText: 'nobody has looked at the options of mytool' }).waitFor()
  expect(await save().innerText()).toBe('Save this wide rule')
  await project().getByRole('button', { name: 'Cancel' }).click()
  expect(changes().flatMap(({ added }) => added as string[])).not.toContain('mytool *')
})

test('a folder is trusted only after it was said what that means, and trust is taken back at once', async () => {
  const { page } = window
  await project().locator('[data-trust-state=false]').waitFor()
  await project().getByRole('button', { name: 'Trust…' }).click()
  await page.locator('[data-trust-dialog]', { hasText: 'npm test' }).waitFor()
  await page.locator('[data-trust-sure]').click()
  await project().locator('[data-trust-state=true]').waitFor()
  expect(changes().at(-1)).toMatchObject({
    directory: host.live.place.work,
    trusted: true,
    by: expect.stringMatching(/^window/),
  })
  await project().getByRole('button', { name: 'Stop trusting' }).click()
  await project().locator('[data-trust-state=false]').waitFor()
  expect(changes().at(-1)).toMatchObject({ directory: host.live.place.work, trusted: false })
})

test('a folder becomes a project by its path, and one that cannot be says why', async () => {
  const { page } = window
  const shop = join(host.live.place.root, 'code', 'shop')
  mkdirSync(shop, { recursive: true })
  await page.locator('[data-add-folder]').click()
  await page.locator('[data-folder]').fill('/')
  await page.locator('[data-add-project]').click()
  await page.locator('[data-notice]', { hasText: 'it is the root of a disk' }).waitFor()
  await page.locator('[data-folder]').fill(shop)
  await page.locator('[data-add-project]').click()
  await project('shop').locator('[data-trust-state=false]').waitFor()
  expect(changes().at(-1)).toMatchObject({ workspace_id: 'shop', directory: shop, trusted: false })
})

test('what somebody writes into a file is shown as not counting and stays a card; the person can allow or remove it here', async () => {
  const { place } = host.live
  place.write(
    'home/data/test/terminal-allowlist.json',
    JSON.stringify({ patterns: ['expr 8 *', 'expr 9 *'], updated_at: '' }),
  )
  await pattern('expr 8 *').locator('[data-counts=false]', { hasText: 'added from outside' }).waitFor()
  await window.page.locator('[data-rule-notices]', { hasText: '2 rules were written into the files' }).waitFor()
  expect(await headless('expr 8 + 1')).toBe('PM_TERM_APPROVAL_REQUIRED')
  // A card asks about it all the same, in the list beside the page, which it does not take away.
  await window.page.locator('[data-item]', { hasText: 'terminal-allowlist.json' }).waitFor()

  await pattern('expr 8 *').getByRole('button', { name: 'Allow' }).click()
  await save().click()
  await pattern('expr 8 *').locator('[data-counts=true]').waitFor()
  await pattern('expr 9 *').getByRole('button', { name: 'Remove' }).click()
  await pattern('expr 9 *').waitFor({ state: 'detached' })
  expect([await headless('expr 8 + 1'), await headless('expr 9 + 1')]).toEqual([null, 'PM_TERM_APPROVAL_REQUIRED'])
})

test('a file that cannot be read is named, and no rule of its project is said to count', async () => {
  const { place } = host.live
  const before = place.read('home/data/test/terminal-allowlist.json')
  place.write('home/data/test/terminal-allowlist.json', '{ "patterns": [')
  await window.page.locator('[data-rule-notices]', { hasText: 'is not JSON' }).waitFor()
  await pattern('expr 7 *', 'headless').locator('[data-counts=false]').waitFor()
  expect(await headless('expr 7 + 1')).toBe('PM_TERM_APPROVAL_REQUIRED')
  place.write('home/data/test/terminal-allowlist.json', before)
  await pattern('expr 7 *', 'headless').locator('[data-counts=true]').waitFor()
})

test('a line is explained while it is typed, in the words of "policy explain", and a suggestion becomes a rule', async () => {
  const { page } = window
  const folder = page.locator('[data-try-folder]')
  expect(await folder.inputValue()).toBe(host.live.place.work)
  await page.locator('[data-try-line]').fill('git status && expr 3 + 4')
  const said = page.locator('[data-explained=approval]')
  await said.locator('li', { hasText: 'expr 3 + 4' }).waitFor()
  const { out } = await commandLine(host.live.place, ['policy', 'explain', 'git status && expr 3 + 4'], {
    PM_TERM_PORT: String(host.live.host.port),
  })
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ')
  const words = flat(await said.locator('[data-headless]').innerText())
  expect(flat(out)).toContain(words)
  expect(words).toContain('shell operators')
  expect(flat(out)).toContain(flat(await said.locator('[data-frees]').innerText()))

  await page.locator('[data-take="expr 3 + 4"]').click()
  await page.locator('[data-suggestions] [data-save-rule][aria-disabled=false]').click()
  await pattern('expr 3 + 4').locator('[data-counts=true]').waitFor()
  await page.locator('[data-try-line]').fill('expr 3 + 4')
  await page.locator('[data-explained=auto]', { hasText: 'Runs unasked' }).waitFor()
})

test('a rule is tried on what the person was asked before it is saved, and one that would let run what they declined is refused', async () => {
  const { page } = window
  const answers = async (command: string, key: string): Promise<void> => {
    const id = client.command(command, { working_directory: host.live.place.work })
    await page.locator('[data-item]', { hasText: command }).click()
    await window.armed()
    await page.keyboard.press(key)
    if (key === 'r') {
      await page.keyboard.type('Never that.')
      await window.settled()
      await page.keyboard.press('Enter')
    }
    await client.response(id)
  }
  await answers('expr 5 + 1', 'r')
  await answers('expr 5 + 2', 'Control+Enter')
  await openRules()
  await typesRule('expr 5 *')
  await project().locator('[data-replay]', { hasText: 'it would have approved 2; 1 of them you declined.' }).waitFor()
  const row = await project().locator('[data-declined-row=true]').innerText()
  expect(row.replaceAll('\u00ad', '')).toMatch(/^expr 5 \+ 1\s+declined .+: “Never that\.”$/)
  await project().locator('[data-rule-problem]', { hasText: 'You declined “expr 5 + 1”' }).waitFor()
  expect(await save().count()).toBe(0)
  await typesRule('expr 5 + 2')
  await project().locator('[data-replay]', { hasText: 'it would have approved 1.' }).waitFor()
  await save().click()
  await pattern('expr 5 + 2').locator('[data-counts=true]').waitFor()
})

test('a no for the day is refused again in another dress with the person’s words, is listed under Rules, and ends when taken back', async () => {
  const { page } = window
  const { work } = host.live.place
  const id = client.command('expr 6 + 1', { working_directory: work })
  await page.locator('[data-item]', { hasText: 'expr 6 + 1' }).click()
  await window.armed()
  await page.keyboard.press('r')
  await page.keyboard.type('Not today.')
  await page.locator('[data-decline-ways] input[value=project]').check()
  await page.locator('[data-decline-ways]', { hasText: 'Until midnight it is refused' }).waitFor()
  await page.locator('[data-decline]').click()
  expect(await client.response(id)).toMatchObject({ status: 'declined', reason: 'Not today.' })

  const asked = host.live.journal().filter(({ kind }) => kind === 'asked').length
  for (const dress of [`bash -c 'expr "6" + 1'`, '/usr/bin/expr 6 + 1 | cat']) {
    const again = await client.response(client.command(dress, { working_directory: work }))
    expect(again).toMatchObject({ status: 'declined', reason: 'Not today.', error: { code: 'PM_TERM_DECLINED' } })
    expect(again.error?.details).toMatchObject({
      kept_decline: { since: expect.any(String), until: expect.any(String) },
    })
  }
  expect(host.live.journal().filter(({ kind }) => kind === 'asked').length).toBe(asked)

  await openRules()
  const row = page.locator('[data-kept-decline]')
  await row.filter({ hasText: 'refused 2 times since' }).waitFor()
  expect((await row.innerText()).replaceAll('\u00ad', '')).toContain('“Not today.”')
  await row.getByRole('button', { name: 'Ask me again' }).click()
  await row.waitFor({ state: 'detached' })
  expect(host.live.journal().at(-1)).toMatchObject({ kind: 'decline_ended' })
  expect(await inWindow('expr 6 + 1')).toBe('asked')
})

test('what destroys is said to be blocked for everybody, offers no rule, and trying it runs nothing', async () => {
  const { page } = window
  await page.locator('[data-try-line]').fill('rm -rf ~; touch tried')
  await page.locator('[data-explained=destructive]', { hasText: 'Blocked for everybody' }).waitFor()
  expect(await page.locator('[data-suggestions]').count()).toBe(0)
  expect(existsSync(join(host.live.place.work, 'tried'))).toBe(false)
  await page.locator('[data-try-folder]').fill('/not/there')
  await page.locator('[data-try-problem]', { hasText: 'is not an existing directory' }).waitFor()
})

test('the defaults are folded, in groups, with the reason of each', async () => {
  const { page } = window
  await page.locator('[data-defaults] > summary').click()
  await page.locator('[data-reach=workspace] > summary').click()
  const row = page.locator('[data-reach=workspace] li', { hasText: 'lists files of the workspace' }).first()
  await row.waitFor()
  expect(await row.innerText()).toContain('ls *')
  expect(await page.locator('[data-defaults] button').count()).toBe(0)
})
