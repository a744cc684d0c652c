import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { drivableBrowser, HostWindows } from '../drivers/host-window.ts'
import { LiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { Place, PRODUCT } from '../drivers/place.ts'
import { HiddenScreen } from '../drivers/screen.ts'

let screen: HiddenScreen
let place: Place
let started: { child: ChildProcess; said: string }[] = []
let windows: HostWindows

const START_MS = 30_000

function start(args: readonly string[], env: Record<string, string>): { child: ChildProcess; said: string } {
  const child = spawn(process.execPath, [PRODUCT, ...args], {
    env: place.env({ PM_TERM_HTTP_PORT: '0', ...env }),
    cwd: place.root,
  })
  const one = { child, said: '' }
  child.stdout.on('data', chunk => {
    one.said += chunk
  })
  child.stderr.on('data', chunk => {
    one.said += chunk
  })
  started.push(one)
  return one
}
const hasEnded = ({ child }: { child: ChildProcess }) => child.exitCode !== null || child.signalCode !== null

async function connected(): Promise<LiveHost> {
  await eventually('the host is up', () => place.read('home/state/host.json') !== '', START_MS)
  const { port, approver_port } = JSON.parse(place.read('home/state/host.json')) as Record<string, number>
  return new LiveHost(place, { port, approverPort: approver_port, close: async () => {} } as unknown as Host)
}

/** How many may answer, as a client is told. */
async function approvers(live: LiveHost): Promise<number> {
  const client = await live.stranger()
  await client.hello()
  const { approvers: count } = await client.heard.next('hello_ack')
  client.link.close('told')
  return count
}

describe('on a machine with a screen', needs('a screen'), () => {
  beforeAll(async () => {
    screen = await HiddenScreen.open()
  })
  afterAll(() => screen.close())
  beforeEach(() => {
    place = new Place()
    windows = new HostWindows(place)
  })
  afterEach(async () => {
    await windows.close()
    for (const one of started) if (!hasEnded(one)) one.child.kill('SIGTERM')
    await eventually('all have ended', () => started.every(hasEnded), START_MS)
    started = []
    place.remove()
  })

  test('starting opens the window, and a second start shows the same one', { timeout: 90_000 }, async () => {
    start([], { DISPLAY: screen.display })
    const live = await connected()
    await eventually('the window has reported in', async () => (await approvers(live)) === 1, START_MS)
    const second = start([], { DISPLAY: screen.display })
    await eventually('it ends', () => hasEnded(second), START_MS)
    expect([second.child.exitCode, second.said]).toEqual([0, expect.stringContaining('The window is open.')])
    expect(await approvers(live)).toBe(1)
  })

  test('a person who starts for the first time gets to an approved command with what is on the screen', {
    timeout: 90_000,
  }, async () => {
    start([], { DISPLAY: screen.display, PM_TERM_BROWSER: drivableBrowser(place) })
    const live = await connected()
    const window = await windows.next()
    await window.page.getByRole('button', { name: 'Ask me something' }).click()
    await window.approve()
    await eventually(
      'it ran',
      () => live.journal().some(({ kind, body }) => kind === 'ended' && body.includes('"exited"')),
      START_MS,
    )
    expect(window.complaints).toEqual([])
  })

  test('with nobody there a question opens the window, and the ticket is in no argument list', {
    timeout: 90_000,
  }, async () => {
    start(['host'], { DISPLAY: screen.display, PM_TERM_BROWSER: drivableBrowser(place) })
    const live = await connected()
    const client = await live.client()
    const id = client.command('/bin/echo opened by itself')
    const window = await windows.next()
    const lines = readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(pid => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        } catch {
          return '' // ended meanwhile
        }
      })
    expect(lines.some(line => line.includes('--app=file://'))).toBe(true)
    expect(lines.filter(line => /ticket=/.test(line))).toEqual([])
    await window.approve()
    expect(await client.response(id, START_MS)).toMatchObject({ exit_code: 0, output: 'opened by itself\r\n' })
  })

  test('without a Chromium the default browser is used, and it does not end with the host', {
    timeout: 60_000,
  }, async () => {
    place.write('bin/xdg-open', '#!/bin/sh\necho "$$ $PPID $1" > "$HOME/asked"\nexec sleep 60\n', 0o755)
    const one = start([], { DISPLAY: screen.display, PATH: `${join(place.root, 'bin')}:/bin-without-browsers` })
    await connected()
    await eventually('it was asked', () => place.read('asked').includes('http://localhost:'), START_MS)
    const [pid = ''] = place.read('asked').split(' ')
    one.child.kill('SIGTERM')
    await eventually('the host ends', () => hasEnded(one), START_MS)
    expect(existsSync(`/proc/${pid}`)).toBe(true)
    process.kill(Number(pid))
  })

  test('a browser that does not start is said, with what to do instead', { timeout: 60_000 }, async () => {
    const broken = place.write('broken.sh', '#!/bin/sh\nexit 7\n', 0o755)
    const one = start([], { DISPLAY: screen.display, PM_TERM_BROWSER: broken })
    await connected()
    await eventually(
      'it is said',
      () => /ended at once with code 7.*interactive-terminal\.cjs"? approve/s.test(one.said),
      START_MS,
    )
  })

  test('without a screen it says so at once, and how to answer all the same', { timeout: 60_000 }, async () => {
    const one = start([], {})
    await connected()
    await eventually(
      'it is said',
      () => /neither DISPLAY nor WAYLAND_DISPLAY is set.*interactive-terminal\.cjs"? approve/s.test(one.said),
      START_MS,
    )
  })
})
