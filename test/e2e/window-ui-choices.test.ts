import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'

/** "Don't ask again" and "Trust this folder" where everybody looks for them: on the card (docs/spec.md D24). */

let host: BrowserHost
let window: WindowPage
let client: FakeClient
beforeAll(async () => {
  host = await BrowserHost.open()
  window = await host.window()
  client = await host.live.client()
})
afterAll(() => host.close())
afterEach(async () => {
  client.takeBack()
  await window.empty()
  expect(window.complaints).toEqual([])
})

const project = (name: string): string => {
  const directory = join(host.live.place.root, name)
  mkdirSync(join(directory, '.git'), { recursive: true })
  return directory
}
/** One that git itself takes for a repository. */
const repository = (name: string): string => {
  const directory = project(name)
  execFileSync('git', ['init', '-q', directory])
  return directory
}
const asks = (command: string, working_directory: string): string => client.asks(command, { working_directory })
const binding = (id: string) => JSON.parse(host.live.place.read(`home/data/${id}/workspace.v1.json`) || 'null')

test('one click approves and is never asked again, in a folder that was no project before', needs('git'), async () => {
  const shop = repository('shop')
  const id = asks('git fetch origin', shop)
  await window.armed()
  expect(await window.read('[data-project]')).toBe('none yet')
  const again = window.page.locator('[data-choice="always"]')
  expect((await again.innerText()).replace(/\s+/g, ' ')).toBe('Don’t ask again for git fetch * in shop 2')
  await again.click()
  expect(await client.response(id)).toMatchObject({ approved_by: 'person' })
  expect(binding('shop')).toMatchObject({ directory: shop, trusted: false, accepted: { base: ['git fetch *'] } })
  expect(await client.response(asks('git fetch --tags', shop))).toMatchObject({ approved_by: 'allowlist' })
})

test('so does the key 2, and not while something is typed', async () => {
  const shop = project('keyed')
  const id = asks('expr one', shop)
  await window.armed()
  await window.page.keyboard.press('r')
  await window.page.keyboard.type('2')
  expect(await window.page.locator('[data-over]').count()).toBe(0)
  await window.page.keyboard.press('Escape')
  await window.armed()
  await window.page.keyboard.press('2')
  expect(await client.response(id)).toMatchObject({ approved_by: 'person' })
  expect(binding('keyed')).toMatchObject({ accepted: { base: ['expr one'] } })
})

test('a folder is trusted with the answer: its path and what that means are shown, and the path may be changed', async () => {
  const inner = project('outer/inner')
  const id = asks('expr trusted', inner)
  await window.armed()
  await window.page.locator('[data-trust]').check()
  expect(await window.page.locator('[data-trusted]').inputValue()).toBe(inner)
  expect(await window.read('[data-wider]')).toContain('then run there without asking')
  await window.page.locator('[data-trusted]').fill(join(inner, '..'))
  await window.armed()
  await window.approve()
  expect(await client.response(id)).toMatchObject({ approved_by: 'person' })
  expect(binding('outer')).toMatchObject({ directory: join(inner, '..'), trusted: true, accepted: { base: [] } })
})

test('several commands are listed as rules, to be changed, before they are given', needs('git'), async () => {
  const shop = repository('listed')
  const id = asks('git fetch origin && git pull origin', shop)
  await window.armed()
  await window.page.keyboard.press('2')
  await window.page.getByLabel('Rule 2').waitFor()
  expect(await window.page.getByLabel('Rule 1').inputValue()).toBe('git fetch *')
  await window.page.getByLabel('Rule 2').fill('')
  await window.armed()
  await window.approve()
  expect(await client.response(id)).toMatchObject({ approved_by: 'person' })
  expect(binding('listed')).toMatchObject({ accepted: { base: ['git fetch *'] } })
})

test('where nothing can be kept neither is offered, and the card says why', async () => {
  asks('expr home', host.live.place.root)
  await window.armed()
  expect(await window.read('[data-project]')).toBe('none: nothing can be kept here: it is your home directory')
  expect(await window.page.locator('[data-choice], [data-trust]').count()).toBe(0)
})

test('in a workspace the card says which, and whether it is trusted', async () => {
  asks('expr inside', host.live.place.work)
  await window.armed()
  expect(await window.read('[data-project]')).toBe(`test not trusted, ${host.live.place.work}`)
  expect(await window.page.locator('[data-trust]').count()).toBe(1)
})

test('what is hard to undo is approved once: neither is offered', async () => {
  asks('rm -rf build', project('grave'))
  await window.page.locator('[data-ask]').waitFor()
  expect(await window.page.locator('[data-choice], [data-trust], [data-toggle="scope"]').count()).toBe(0)
})
