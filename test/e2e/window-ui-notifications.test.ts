import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import type { FakeClient } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'

/** Looks over the shoulder of what the browser really shows and plays. */
const WITNESS = `{
  window.told = []
  window.played = 0
  const Real = window.Notification
  window.Notification = class extends Real {
    constructor(title, options) {
      super(title, options)
      const one = { title, body: options.body, actions: options.actions ?? [], shown: false, closed: false, self: this }
      this.addEventListener('show', () => { one.shown = true })
      window.told.push(one)
    }
    close() {
      window.told.find(({ self }) => self === this).closed = true
      super.close()
    }
  }
  const { start } = OscillatorNode.prototype
  OscillatorNode.prototype.start = function (when) {
    window.played += 1
    return start.call(this, when)
  }
}`

interface Notified {
  readonly title: string
  readonly body: string
  readonly shown: boolean
  readonly closed: boolean
}

let place: string
let noted: string
let host: BrowserHost
let window: WindowPage
let client: FakeClient
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'it-notify-'))
  noted = join(place, 'noted')
  const program = join(place, 'notify')
  writeFileSync(program, `#!/bin/sh\ncat > '${noted}'\n`, { mode: 0o755 })
  host = await BrowserHost.open({ notifies: true, env: { PM_TERM_NOTIFY_COMMAND: program } })
  const page = await host.page()
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript({ content: WITNESS })
  window = await host.window({}, page)
  client = await host.live.client()
})
afterAll(async () => {
  await host.close()
  rmSync(place, { recursive: true, force: true })
})
const asked: string[] = []
afterEach(async () => {
  await window.cover(false)
  // Nothing moves in the list while somebody points at it.
  await window.page.mouse.move(700, 20)
  for (const request_id of asked.splice(0)) client.send({ type: 'cancel', request_id, trace_id: 'trace_1' })
  await window.page.locator('[data-item]').first().waitFor({ state: 'detached' })
  await window.page.evaluate('window.told.length = 0; window.played = 0')
  expect(window.complaints).toEqual([])
})

function asks(command: string, more: Record<string, unknown> = {}): string {
  const id = client.command(command, { working_directory: host.live.place.work, ...more })
  asked.push(id)
  return id
}
const told = () =>
  window.page.evaluate<Notified[]>(
    'window.told.map(({ title, body, shown, closed }) => ({ title, body, shown, closed }))',
  )
const picture = () => window.page.evaluate<string>('document.querySelector("link[rel=icon]").href')

test('how many wait stands in the title and in the picture of the tab, and goes when nobody waits', async () => {
  const { page } = window
  const pictures = [await picture()]
  for (const count of [1, 2, 3]) {
    asks(`/bin/echo ${count}`)
    await expect.poll(() => page.title()).toBe(`(${count}) Interactive Terminal`)
    pictures.push(await picture())
  }
  expect(new Set(pictures).size).toBe(4)
  for (const request_id of asked.splice(0)) client.send({ type: 'cancel', request_id, trace_id: 'trace_1' })
  await expect.poll(() => page.title()).toBe('Interactive Terminal')
  expect(await picture()).toBe(pictures[0])
})

test(
  'a person who looks elsewhere gets a notification; one who looks here does not',
  needs('notifications'),
  async () => {
    asks('/bin/echo seen')
    await window.armed()
    expect(await told()).toEqual([])
    await window.cover(true)
    asks('/bin/echo unseen')
    await expect
      .poll(told)
      .toEqual([{ title: '“test client 1” asks', body: '/bin/echo unseen', shown: true, closed: false }])
  },
)

test(
  'a notification shows a short piece of the command with nothing hidden in it, and no value, no word of the agent',
  needs('notifications'),
  async () => {
    await window.cover(true)
    asks(`/bin/echo a\u202eb\u001b[2K\n${'long '.repeat(200)}`, {
      env: { TOKEN: 'a secret value' },
      context: 'Just say yes.',
    })
    await expect.poll(async () => (await told()).length).toBe(1)
    const [{ title = '', body = '' } = {}] = await told()
    expect([title, body.startsWith('/bin/echo a‹U+202E›b‹U+001B›[2K')]).toEqual(['“test client 1” asks', true])
    expect(body).toMatch(/^.{119}…$/u)
    expect(title + body).not.toMatch(/secret|TOKEN|yes/)
  },
)

test(
  'a click on a notification leads to the question and decides nothing; it goes when the question is over',
  needs('notifications'),
  async () => {
    const { page } = window
    asks('/bin/echo first')
    await window.armed()
    await window.cover(true)
    const id = asks('/bin/echo second')
    await expect.poll(async () => (await told()).length).toBe(1)
    await window.cover(false)
    await page.evaluate('window.told[0].self.onclick(new Event("click"))')
    await page.locator('[data-ask]', { hasText: 'second' }).waitFor()
    expect(await page.locator('[data-over]').count()).toBe(0)
    await window.approve()
    expect(await client.response(id)).toMatchObject({ status: 'approved' })
    await expect.poll(told).toMatchObject([{ closed: true }])
  },
)

test(
  'a question that waits is told again at half of its time, and near its end with a sound and by a program of yours',
  needs('notifications'),
  async () => {
    await window.cover(true)
    asks('/bin/echo nobody looks', { approval_timeout_ms: 4000 })
    await expect
      .poll(async () => (await told()).map(({ title }) => title.replace(/^“[^”]*” /, '')))
      .toEqual(['asks', 'still asks', 'asks, and the question is about to expire'])
    expect(await window.page.evaluate('window.played')).toBe(2)
    await expect.poll(() => (existsSync(noted) ? readFileSync(noted, 'utf8') : '')).toMatch(/\n$/)
    expect(JSON.parse(readFileSync(noted, 'utf8'))).toEqual({ waiting: 1, project: 'work', expires_in_s: 1 })
  },
)

test('there is no sound until somebody switches it on, and none after it is off again', async () => {
  const { page } = window
  const sound = page.getByRole('switch', { name: 'Sound' })
  const played = async (command: string): Promise<number> => {
    asks(command)
    await page.locator('[data-item]', { hasText: command }).waitFor()
    return page.evaluate<number>('window.played')
  }
  expect([await sound.getAttribute('aria-checked'), await played('/bin/echo quiet')]).toEqual(['false', 0])
  await sound.click()
  expect(await played('/bin/echo loud')).toBe(2)
  await sound.click()
  expect(await played('/bin/echo quiet again')).toBe(2)
})

test('who switches notifications off gets none', needs('notifications'), async () => {
  await window.page.getByRole('switch', { name: 'Notifications' }).click()
  await window.cover(true)
  asks('/bin/echo not told')
  await expect.poll(() => window.page.title()).toBe('(1) Interactive Terminal')
  expect(await told()).toEqual([])
})
