import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type IPty, spawn as spawnInTerminal } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { startBare } from '../drivers/bare.ts'
import { typed } from '../drivers/command-line.ts'
import { drivableBrowser, HostWindows } from '../drivers/host-window.ts'
import { LiveHost, PASSPHRASE, setPassphrase } from '../drivers/live-host.ts'
import { endOf, eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { Place, PRODUCT } from '../drivers/place.ts'
import { HiddenScreen } from '../drivers/screen.ts'

const START_MS = 30_000
const EVIL = 'what it chose'

/** Which passphrase counts: one that a person set where the host vouches for them, and no file alone (docs/attacks.md A10). */
let place: Place
let hosts: ChildProcess[]
beforeEach(() => {
  place = new Place()
  hosts = []
})
afterEach(async () => {
  for (const host of hosts) await endOf(host)
  place.remove()
})

async function start(env: Record<string, string> = {}): Promise<LiveHost> {
  const host = spawn(process.execPath, [PRODUCT, 'host'], { env: place.env(env), cwd: place.root, stdio: 'ignore' })
  hosts.push(host)
  const told = () => {
    const text = place.read('home/state/host.json')
    return text === '' ? null : (JSON.parse(text) as { pid: number; port: number; approver_port: number })
  }
  await eventually('the host is up', () => told()?.pid === host.pid, START_MS)
  const { port, approver_port: approverPort } = told() ?? { port: 0, approver_port: 0 }
  return new LiveHost(place, { port, approverPort, close: async () => {} } as unknown as Host)
}

async function steals(live: LiveHost): Promise<string> {
  rmSync(join(place.root, 'outcome'), { force: true })
  const { approverPort } = live.host
  const state = join(place.home, 'state')
  await startBare('passphrase-thief.mjs', [state, String(approverPort), EVIL, join(place.root, 'outcome')])
  await eventually('the thief is done', () => place.read('outcome') !== '', START_MS)
  return place.read('outcome')
}

describe('on a machine with a screen', needs('a screen'), () => {
  let screen: HiddenScreen
  let windows: HostWindows
  beforeEach(async () => {
    screen = await HiddenScreen.open()
    windows = new HostWindows(place)
  })
  afterEach(async () => {
    await windows.close()
    screen.close()
  })

  test('A10: a hidden helper that ends the window and writes a passphrase is not let in, and the next window says so', {
    timeout: 120_000,
  }, async () => {
    const live = await start({ DISPLAY: screen.display, PM_TERM_BROWSER: drivableBrowser(place) })
    const client = await live.client()
    client.ask('show_window')
    await windows.next()
    expect(await steals(live)).toBe('refused: no passphrase counts')
    client.command('/bin/touch self-approved', { working_directory: place.work })
    const window = await windows.next()
    expect(await window.read('[data-shut]')).toContain('Something wrote a passphrase of its own')
    await window.page.getByRole('button', { name: 'Understood' }).click()
    expect(existsSync(join(place.work, 'self-approved'))).toBe(false)
  })

  test('the window offers a passphrase on the first day, and it counts at once and for the next host', {
    timeout: 120_000,
  }, async () => {
    const live = await start({ DISPLAY: screen.display, PM_TERM_BROWSER: drivableBrowser(place) })
    const client = await live.client()
    client.ask('show_window')
    const { page } = await windows.next()
    const step = page.getByRole('region', { name: 'Choose a passphrase' })
    await step.getByRole('button', { name: 'Choose a passphrase' }).click()
    await step.getByLabel('Passphrase').fill('short')
    await step.getByText('8 characters or more.').waitFor()
    await step.getByLabel('Passphrase').fill(PASSPHRASE)
    await step.getByLabel('The same again').fill(`${PASSPHRASE}x`)
    await step.getByText('Those are two different ones.').waitFor()
    await step.getByLabel('The same again').fill(PASSPHRASE)
    await step.getByRole('button', { name: 'Set it' }).click()
    await step.locator('[data-passphrase=set]').waitFor()
    await windows.close()
    await endOf(hosts[0] as ChildProcess)
    await (await start()).approver()
  })

  test('the window asks for a passphrase that this host was not given yet, and what counts is sealed by it', {
    timeout: 120_000,
  }, async () => {
    setPassphrase(place)
    const live = await start({ DISPLAY: screen.display, PM_TERM_BROWSER: drivableBrowser(place) })
    const client = await live.client()
    client.ask('show_window')
    const { page } = await windows.next()
    await page.getByTitle('What protects you').click()
    const asks = page.locator('[data-unlock=asks]')
    await asks.getByLabel('so that what you decide here still counts').fill(PASSPHRASE)
    expect(place.read('home/data/decisions.v1.json')).not.toContain('"sealed"')
    await asks.getByRole('button').click()
    await asks.waitFor({ state: 'detached' })
    expect(place.read('home/data/decisions.v1.json')).toContain('"sealed"')
  })
})

test('A10: one that was written while no host ran is not taken by the next host', { timeout: 60_000 }, async () => {
  await start()
  await endOf(hosts[0] as ChildProcess)
  setPassphrase(place)
  const live = await start()
  const stranger = await live.unproved()
  stranger.attach()
  expect(await stranger.heard.next('challenge')).toMatchObject({ passphrase: null, code: null })
  expect(await steals(live)).toBe('refused: no passphrase counts')
})

test('A10: one in the place of the person’s is not taken, and the person’s still is', { timeout: 60_000 }, async () => {
  setPassphrase(place)
  const live = await start()
  expect(await steals(live)).toBe('refused: That was not the passphrase.')
  const person = await live.approver()
  expect(await person.heard.next('alarm')).toMatchObject({ message: expect.stringContaining('The one that you set') })
})

test('whoever has no passphrase yet is told where it is set, and sets it in the terminal of a host of their own', {
  ...needs('script'),
  timeout: 90_000,
}, async () => {
  await start()
  const said = await typed(place, ['approve'])
  expect([said.code, said.out.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining('takes none from outside')])
  await endOf(hosts[0] as ChildProcess)
  const env = place.env({ TERM: 'xterm-256color', PM_TERM_HTTP_PORT: '0', PM_TERM_WINDOW: 'never' })
  const terminal: IPty = spawnInTerminal(process.execPath, [PRODUCT, '--passphrase'], { cwd: place.root, env })
  let seen = ''
  let ended = false
  terminal.onData(text => {
    seen += text
  })
  terminal.onExit(() => {
    ended = true
  })
  for (const prompt of ['New passphrase', 'The same again']) {
    await eventually(prompt, () => seen.includes(prompt), START_MS)
    terminal.write(`${PASSPHRASE}\r`)
  }
  await eventually('it answers', () => seen.includes('No commands waiting'), START_MS)
  terminal.kill('SIGTERM')
  await eventually('it ends', () => ended, START_MS)
  const live = await start()
  await live.approver()
})
