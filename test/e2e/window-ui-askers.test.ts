import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'

/** What the window says about whoever asked. */
let host: BrowserHost
let window: WindowPage
let client: FakeClient
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window()
  client = await host.live.client()
})
afterAll(() => host.close())

const asker = { asker: { session: 'ses_1', name: 'gemini-cli-mcp-client', version: '0.61.0' } }
const asks = (command: string, more: Record<string, unknown> = {}) =>
  client.command(command, { working_directory: host.live.place.work, ...asker, ...more })

test('an agent that has gone on is news on the card, which has to be read anew before a yes', async () => {
  const id = asks('/bin/echo late yes')
  await window.armed()
  expect(await window.read('[data-ask] h1')).toBe(
    'An agent that calls itself “gemini-cli-mcp-client 0.61.0” asks to run',
  )
  expect(await window.read('[data-asker]')).toContain('The name is its own claim, not checked.')
  client.send({ type: 'asker_gone_on', request_ids: [id] })
  await window.page.locator('[data-asker-news]').waitFor()
  expect(await window.read('[data-asker-news]')).toBe('The agent has gone on meanwhile: it may no longer expect this.')
  await window.armed()
  await window.approve()
  expect(await client.response(id)).toMatchObject({ status: 'approved', output: expect.stringContaining('late yes') })
  expect(window.complaints).toEqual([])
})

test('from where an agent says it calls stands beside its name, as its own word', async () => {
  const id = asks('/bin/echo from an editor', { caller_surface: 'extension' })
  await window.armed()
  expect(await window.read('[data-ask] h1')).toBe(
    'An agent that calls itself “gemini-cli-mcp-client 0.61.0”, in an editor extension, asks to run',
  )
  expect(await window.read('[data-asker]')).toContain(
    'The name and from where it calls are its own claims, not checked.',
  )
  await window.page.locator('[data-decline]').click()
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
})

test('what an interrupted agent left running is in the list, and a click ends it', async () => {
  const id = asks('sleep 600')
  await window.armed()
  await window.approve()
  await client.heard.next('progress', frame => frame.request_id === id && frame.phase === 'running')
  client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1', ...asker })
  const left = window.page.locator('[data-left-running]')
  await left.waitFor()
  expect(await window.read('[data-left-running]')).toMatch(
    /1 command left running by gemini-cli-mcp-client 0\.61\.0\s+sleep 600\s+End it/,
  )
  await left.getByRole('button', { name: 'End sleep 600' }).click()
  await left.waitFor({ state: 'detached' })
  const read = client.ask('read_output', { session_id: id })
  expect(await client.heard.next('output', frame => frame.request_id === read)).toMatchObject({ state: 'killed' })
  expect(window.complaints).toEqual([])
})

test('what was refused without a question is one quiet line, with the command drawn and why, also after a reload', async () => {
  const { page } = window
  const open = asks('/bin/echo still asked')
  await window.armed()
  await client.response(asks('rm -rf / #\u202e'))
  await client.response(asks('mkfs.ext4 /dev/sda'))
  const line = page.locator('[data-blocked]')
  await line.getByText('2 commands were refused without asking you').waitFor()
  // The question stays as it was, nothing comes over it.
  expect(await page.locator('[data-ask]').innerText()).toContain('still asked')
  expect(await page.locator('[data-notice]').count()).toBe(0)
  await line.locator('summary').click()
  expect(await window.read('[data-blocked-command]:last-child')).toMatch(
    /^rm -rf \/ #‹.*›\n.*“gemini-cli-mcp-client 0\.61\.0” · \S/s,
  )
  await page.reload()
  await window.admitted()
  await line.getByText('2 commands were refused without asking you').waitFor()
  client.send({ type: 'cancel', request_id: open, trace_id: 'trace_1', ...asker })
  expect(window.complaints).toEqual([])
})
