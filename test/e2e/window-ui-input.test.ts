import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'

/** What a person sees of a program that waits for input, and of what an agent wants to type. */
let host: BrowserHost
let window: WindowPage
let client: FakeClient
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window()
  client = await host.live.client()
})
afterAll(() => host.close())

async function waiting(command: string, state: string): Promise<string> {
  const id = client.command(command, { working_directory: host.live.place.work })
  await window.armed()
  await window.approve()
  await client.heard.next('progress', frame => frame.request_id === id && frame.wait_state === state)
  return id
}

const ASKS = 'printf "Need to install the following packages:\\ncreate-thing@7.0.0\\n"; exec cat'

test('the card shows what would be typed key by key, who reads it, and what that printed', needs('cat'), async () => {
  const run = await waiting(ASKS, 'line')
  const id = client.ask('input_request', {
    session_id: run,
    input: [{ text: 'y' }, { key: 'enter' }],
    context: 'It asks whether to go on.',
  })
  await window.armed()
  expect(await window.read('[data-ask] h1')).toMatch(/^An agent that calls itself “test client 1” asks to type into/)
  expect(await window.read('[data-input]')).toBe('yenter')
  expect(await window.read('[data-input] [data-key]')).toBe('enter')
  expect(await window.read('[data-printed]')).toContain('create-thing@7.0.0')
  await picture('input-card')

  // For the rest of the run: one of the two ways to approve.
  await window.page.locator('[data-toggle="scope"]').click()
  await window.page.getByText('The rest of this run').click()
  await window.approve()
  expect(await client.heard.next('output', frame => frame.request_id === id)).toMatchObject({
    output: expect.stringContaining('y'),
    input: { state: 'typed' },
  })
  const again = client.ask('input_request', { session_id: run, input: [{ text: 'unasked' }, { key: 'enter' }] })
  expect(await client.heard.next('output', frame => frame.request_id === again)).toMatchObject({
    output: expect.stringContaining('unasked'),
  })
  client.ask('kill', { session_id: run })
  await client.response(run)
})

test('a tab says that its program waits, and the terminal who has the keyboard', needs('bash'), async () => {
  const run = await waiting('read -s -p "Password for the vault: " p', 'secret')
  const tab = window.page.locator('[data-waits="secret"]')
  await tab.waitFor()
  expect(await tab.innerText()).toContain('password')
  await tab.click()
  await window.page.locator('[data-waits-for="secret"]').waitFor()
  await window.page.locator('[data-screen]').click()
  await window.page.keyboard.type('x')
  await window.page.locator('[data-keyboard="person"]').waitFor()
  await picture('secret-terminal')
  await window.page.keyboard.press('Enter')
  await client.response(run)
})

/** Pictures for a person to look at, where somebody asked for them. */
async function picture(name: string): Promise<void> {
  const directory = process.env.IT_PICTURES
  if (directory === undefined) return
  mkdirSync(directory, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await window.page.emulateMedia({ colorScheme })
    await window.page.screenshot({ path: join(directory, `${name}-${colorScheme}.png`) })
  }
}
