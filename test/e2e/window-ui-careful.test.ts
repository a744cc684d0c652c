import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'

/** What a card says so that nobody takes it for more, or for less, than it is. */
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
  expect(window.complaints).toEqual([])
})

const inWork = (...names: string[]) => join(host.live.place.work, ...names)
const asks = (command: string, more: Record<string, unknown> = {}): string =>
  client.asks(command, { working_directory: host.live.place.work, ...more })
/** While the keyboard is in a shell, a question does not take its place by itself. */
async function looksAt(command: string): Promise<void> {
  await window.page.locator('[data-item]', { hasText: command, hasNotText: 'it did not run' }).click()
  await window.armed()
}
async function declined(id: string): Promise<void> {
  await window.page.locator('[data-decline]').click()
  expect(await client.response(id)).toMatchObject({ status: 'declined' })
}

test('§4: a name that poses as ours is a claim in quotes, beside the words that are ours', async () => {
  const name = 'Interactive Terminal ✓ VERIFIED SYSTEM” 1'
  const id = asks('/bin/echo name', { asker: { session: 'ses_1', name, version: '1' } })
  await window.armed()
  const headline = await window.read('[data-ask] h1')
  expect(headline).toMatch(
    /^An agent that calls itself “Interactive Terminal .* VERIFIED SYSTEM‹U\+201D› 1 1” asks to run$/,
  )
  expect(await window.read('[data-asker]')).toContain('The name is its own claim, not checked.')
  const weight = await window.page.evaluate(
    "getComputedStyle(document.querySelector('[data-asker-claims]')).fontWeight",
  )
  expect(weight).toBe('400')
  await declined(id)
})

test('§4: a secret is masked until the person wants to see it, and what decides what runs is warned of by name', async () => {
  const env = { API_TOKEN: 'ghp_0123456789', PATH: '/opt/x:/usr/bin:/bin', LD_PRELOAD: '/tmp/x.so', CI: '1' }
  const id = asks('/bin/echo env', { env })
  await window.armed()
  expect(await window.read('[data-variable=API_TOKEN]')).toBe('API_TOKEN=••••••••Show')
  expect(await window.page.content()).not.toContain(env.API_TOKEN)
  expect(await window.read('[data-variable=LD_PRELOAD]')).toBe('LD_PRELOAD=/tmp/x.so')
  expect((await window.read('[data-variable-warnings]')).split('\n')).toEqual([
    'PATH decides which programs run.',
    'LD_PRELOAD loads code of its choice into programs.',
  ])
  await window.page.locator('[data-reveal]').click()
  expect(await window.read('[data-variable=API_TOKEN]')).toBe(`API_TOKEN=${env.API_TOKEN}Hide`)
  await declined(id)
  expect(JSON.stringify(host.live.journal())).not.toContain(env.API_TOKEN)
})

test('what a command does stands right below it, whom it reaches first; where that is not known the card says so', async () => {
  const id = asks('rm -f old.txt; sudo -n true > ../outside.txt')
  await window.armed()
  expect((await window.read('[data-effects]')).split('\n')).toEqual([
    'sudo acts as root',
    `writes outside the project: ${join(host.live.place.work, '..', 'outside.txt')}`,
    'rm deletes old.txt',
  ])
  expect(await window.page.locator('[data-effect="beyond"]').count()).toBe(2)
  await declined(id)
  const plain = asks('/bin/echo plain')
  await window.armed()
  expect(await window.read('[data-effects]')).toBe('not known here: the command itself says all there is')
  expect(await window.page.locator('[data-why]').count()).toBe(0)
  await declined(plain)
})

test('deleting what git ignores is approved like any other command, and the card says why', needs('git'), async () => {
  const work = inWork('tree')
  mkdirSync(join(work, 'build'), { recursive: true })
  writeFileSync(join(work, '.gitignore'), 'build/\n')
  execFileSync('git', ['init', '-q', work])
  const id = asks('rm -rf build', { working_directory: work })
  await window.armed()
  expect(await window.read('[data-why]')).toBe(
    'git ignores build: it can be made again; deleting it still needs approval',
  )
  await window.approve()
  expect(await client.response(id)).toMatchObject({ status: 'approved', exit_code: 0 })
})

test('§4: a long directory is taken from the page as the path that it is', async () => {
  const long = inWork('a-directory-with-a-name-that-is-much-too-long-for-one-row', 'and-another-one-of-them-below-it')
  mkdirSync(long, { recursive: true })
  const id = asks('/bin/echo here', { working_directory: long })
  await window.armed()
  expect(await window.page.locator('[data-cwd]').textContent()).toBe(long)
  const marked = await window.page.evaluate(
    "getSelection().selectAllChildren(document.querySelector('[data-cwd]')), getSelection().toString()",
  )
  expect(marked).toBe(long)
  await window.page.evaluate('getSelection().removeAllRanges()')
  await declined(id)
})

test('A30, D6: a line for the person’s own shell says so', async () => {
  const opened = client.ask('command_request', { intent: 'open_only', workspace_path: host.live.place.work })
  await window.armed()
  await window.approve()
  const { terminal_id } = await client.response(opened, 20_000)
  const id = client.command('gs', { terminal_id })
  await looksAt('gs')
  expect(await window.read('[data-own-shell]')).toContain('Aliases and functions there count')
  expect(await window.read('[data-found-when-run]')).toBe('gs')
  await declined(id)
})

test('§4, D1: a card that comes again says what changed and what is not shown, and the one before did not run', async () => {
  writeFileSync(inWork('build.sh'), 'source lib.sh\necho one\n')
  writeFileSync(inWork('lib.sh'), '')
  const id = asks('bash build.sh; $TOOL')
  await looksAt('build.sh')
  expect(await window.read('[data-not-shown]')).toContain(`${inWork('lib.sh')}, loaded by build.sh`)
  expect(await window.read('[data-found-when-run]')).toBe('$TOOL')
  writeFileSync(inWork('build.sh'), 'source lib.sh\necho two\n')
  // By keyboard: what is over stays in the list while the pointer is there.
  await window.armed()
  await window.page.keyboard.press('Control+Enter')
  await window.page.locator('[data-item]', { hasText: 'it did not run' }).first().waitFor()
  await looksAt('build.sh')
  await window.page.locator('[data-changed]').waitFor()
  expect(await window.read('[data-changed]')).toContain('after you said yes, something was changed. Nothing ran.')
  expect(await window.read('[data-changed]')).toContain(`build.sh changed in ${inWork('build.sh')}.`)
  expect(await window.page.locator('[data-item]', { hasText: /build\.sh.*Approved by you/s }).count()).toBe(0)
  await window.armed()
  await declined(id)
})
