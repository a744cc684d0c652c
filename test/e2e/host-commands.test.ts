import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Host } from '../../src/host/open-host.ts'
import { SYSTEM_CHROMIUM } from '../drivers/chromium.ts'
import { commandLine, typed } from '../drivers/command-line.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import { LiveHost, PASSPHRASE } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { PRODUCT } from '../drivers/place.ts'
import { HiddenScreen } from '../drivers/screen.ts'

let hosts: HostProcesses
let screen: HiddenScreen | null = null
let terminal: IPty | null = null
let shown = ''
let ended: number | null = null

beforeEach(() => {
  hosts = new HostProcesses()
  shown = ''
  ended = null
})
afterEach(async () => {
  if (terminal && ended === null) terminal.kill('SIGKILL')
  terminal = null
  await hosts.close()
  screen?.close()
  screen = null
})

/** A person types a command in a terminal of their desktop. */
function types(words: readonly string[], env: Record<string, string>): void {
  const all = hosts.place.env({ TERM: 'xterm-256color', PM_TERM_HTTP_PORT: '0', ...env })
  terminal = spawn(process.execPath, [PRODUCT, ...words], { cols: 100, rows: 30, cwd: hosts.place.root, env: all })
  terminal.onData(text => {
    shown += text
  })
  terminal.onExit(({ exitCode }) => {
    ended = exitCode
  })
}
const says = (text: string) => eventually(`${text} in:\n${shown}`, () => shown.includes(text), 20_000)

/** Notes on which screen, and as which process, the window was opened; then the real browser. */
function notingBrowser(): string {
  const file = join(hosts.place.root, 'windows')
  return hosts.place.write(
    'browser.sh',
    `#!/bin/sh\necho "$DISPLAY $$" >> ${file}\nexec ${SYSTEM_CHROMIUM} "$@"\n`,
    0o755,
  )
}
const windows = (): string[][] =>
  hosts.place
    .read('windows')
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.split(' '))

test('status says that none runs, and how one starts, and ends with 3', async () => {
  expect(await commandLine(hosts.place, ['status'])).toMatchObject({
    code: 3,
    out: expect.stringContaining('No host runs'),
  })
  expect(JSON.parse((await commandLine(hosts.place, ['status', '--json'])).out)).toMatchObject({ host: 'not_running' })
})

test('status tells who is there and what runs, without counting itself', { timeout: 60_000 }, async () => {
  const child = await hosts.start()
  const { client } = await hosts.meet()
  hosts.line(client, 'sleep 60')
  await client.heard.next('progress')
  await eventually(
    'it runs',
    async () => {
      const { code, out } = await commandLine(hosts.place, ['status', '--json'])
      const status = JSON.parse(out) as { running: unknown[]; agents: unknown[] }
      return code === 0 && status.running.length === 1
    },
    20_000,
  )
  const status = JSON.parse((await commandLine(hosts.place, ['status', '--json'])).out)
  expect(status).toMatchObject({
    host: 'running',
    pid: child.pid,
    waiting: 0,
    windows: 0,
    pty_host: { health: 'well' },
  })
  expect(status.agents).toHaveLength(1)
  expect(status.approvers).toHaveLength(1)
  expect((await commandLine(hosts.place, ['status'])).out).toMatch(/^Host +runs, pid \d+/m)
})

describe('stop', needs('script'), () => {
  test('ends the host in order, from a terminal of the person', { timeout: 60_000 }, async () => {
    const child = await hosts.start()
    const { code, out } = await typed(hosts.place, ['stop'])
    expect([code, out]).toEqual([0, expect.stringContaining('has ended, and everything it started')])
    await expect.poll(() => child.exitCode).toBe(0)
    expect(hosts.told()).toBeNull()
    expect(await typed(hosts.place, ['stop'])).toMatchObject({ code: 0, out: expect.stringContaining('No host runs') })
  })

  test('names what runs and ends nothing, unless it is told to', { timeout: 60_000 }, async () => {
    const child = await hosts.start()
    const { client } = await hosts.meet()
    hosts.line(client, 'sleep 60')
    await client.heard.next('progress')
    const kept = await typed(hosts.place, ['stop', '--json'])
    expect(kept).toMatchObject({ code: 1, out: expect.stringContaining('sleep 60') })
    expect(child.exitCode).toBeNull()
    expect(await typed(hosts.place, ['stop', '--force'])).toMatchObject({ code: 0 })
    await expect.poll(() => child.exitCode).toBe(0)
  })

  test('is refused without a terminal, and from inside a command', { timeout: 60_000 }, async () => {
    const child = await hosts.start()
    expect(await commandLine(hosts.place, ['stop', '--force'])).toMatchObject({ code: 2 })
    const inside = await typed(hosts.place, ['stop', '--force'], { INTERACTIVE_TERMINAL_RUN: 'req_1' })
    expect(inside).toMatchObject({
      code: 2,
      out: expect.stringContaining('A command that runs here cannot end the host'),
    })
    expect(child.exitCode).toBeNull()
  })
})

describe('where a person is', needs('a screen'), () => {
  beforeEach(async () => {
    screen = await HiddenScreen.open()
    hosts.place.program('PM_TERM_BROWSER', notingBrowser())
  })

  test('a host without a screen shows its window where somebody who proved to be the person says', {
    timeout: 90_000,
  }, async () => {
    await hosts.start()
    types(['open'], { DISPLAY: screen?.display ?? '' })
    await says('Approver passphrase')
    expect(windows()).toEqual([])
    terminal?.write(`${PASSPHRASE}\r`)
    await says('The window is open.')
    await eventually('it ends', () => ended !== null)
    expect([ended, windows().map(([display]) => display)]).toEqual([0, [screen?.display]])
  })

  test('so does a second start; without a passphrase it says where one is set, and shows nothing', {
    timeout: 90_000,
  }, async () => {
    rmSync(join(hosts.place.home, 'state', 'approver.v1.json'))
    await hosts.start()
    types([], { DISPLAY: screen?.display ?? '' })
    await says('takes none from outside')
    await eventually('it ends', () => ended !== null)
    expect(windows()).toEqual([])
  })

  test('nobody else says where it is shown: not on the listener of agents, not before admission', {
    timeout: 60_000,
  }, async () => {
    await hosts.start()
    const at = hosts.told()
    const live = new LiveHost(hosts.place, { port: at?.port, approverPort: at?.approver_port } as Host)
    const env = { DISPLAY: screen?.display ?? '' }
    const agent = await live.client()
    agent.send({ type: 'use_screen', env } as never)
    expect(await agent.heard.next('error')).toMatchObject({ error: { code: 'PM_TERM_INVALID_PAYLOAD' } })
    const stranger = await live.unproved()
    stranger.attach('stranger')
    await stranger.heard.next('challenge')
    stranger.send({ type: 'use_screen', env })
    expect(await stranger.heard.next('refused')).toMatchObject({ reason: expect.stringContaining('Only an admitted') })
    expect(existsSync(join(hosts.place.root, 'windows'))).toBe(false)
  })

  test('Ctrl+C in the terminal of a host takes its window along', { timeout: 90_000 }, async () => {
    types([], { DISPLAY: screen?.display ?? '' })
    await eventually('the window opens', () => windows().length === 1, 20_000)
    await eventually(
      'it has reported in',
      async () => {
        const { out } = await commandLine(hosts.place, ['status', '--json'])
        return (JSON.parse(out) as { windows?: number }).windows === 1
      },
      30_000,
    )
    const browser = windows()[0]?.[1]
    terminal?.kill('SIGINT')
    await eventually('the host ends', () => ended !== null, 20_000)
    await eventually('and its window', () => !existsSync(`/proc/${browser}`), 20_000)
  })
})
