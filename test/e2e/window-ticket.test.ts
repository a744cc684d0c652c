import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Host } from '../../src/host/host.ts'
import { startBare } from '../drivers/bare.ts'
import { drivableBrowser, HostWindows } from '../drivers/host-window.ts'
import { LiveHost, setPassphrase } from '../drivers/live-host.ts'
import { endOf, eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { Place, PRODUCT } from '../drivers/place.ts'
import { HiddenScreen } from '../drivers/screen.ts'

const START_MS = 30_000

/** The window is let in by a ticket that only the browser which the host has started can use (docs/attacks.md A9, A25c). */
describe('on a machine with a screen', needs('a screen'), () => {
  let screen: HiddenScreen
  let place: Place
  let windows: HostWindows
  let host: ChildProcess | null = null
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
    if (host) await endOf(host)
    place.remove()
  })

  async function start(env: Record<string, string> = {}): Promise<LiveHost> {
    host = spawn(process.execPath, [PRODUCT, 'host'], {
      env: place.env({ DISPLAY: screen.display, ...env }),
      cwd: place.root,
      stdio: 'ignore',
    })
    await eventually('the host is up', () => place.read('home/state/host.json') !== '', START_MS)
    const { port, approver_port } = JSON.parse(place.read('home/state/host.json')) as Record<string, number>
    return new LiveHost(place, { port, approverPort: approver_port, close: async () => {} } as unknown as Host)
  }

  async function steals(live: LiveHost, what: 'kill' | 'stop' | 'leave'): Promise<string> {
    await startBare('ticket-thief.mjs', [
      join(place.home, 'state'),
      String(live.host.approverPort),
      what,
      join(place.root, 'stolen'),
    ])
    const client = await live.client()
    client.command('/bin/touch self-approved', { working_directory: place.work })
    await eventually('the thief is done', () => place.read('stolen') !== '', 70_000)
    return place.read('stolen')
  }

  test.each([
    ['ends the browser it is meant for', 'kill'],
    ['stops the browser it is meant for', 'stop'],
    ['is faster than the browser it is meant for', 'leave'],
  ] as const)(
    'A9: a hidden helper that takes the ticket of the window and %s is not let in, and the person hears of it',
    {
      timeout: 120_000,
    },
    async (_, what) => {
      setPassphrase(place)
      const live = await start()
      expect(await steals(live, what)).toMatch(
        /^(refused: This ticket was made for another browser|refused: This window was admitted by)/,
      )
      const admitted = live
        .journal()
        .filter(({ kind, body }) => kind === 'approver_admitted' && body.includes('ticket'))
      // If the real browser was faster, it is the only one.
      expect(admitted.length).toBeLessThanOrEqual(what === 'leave' ? 1 : 0)
      const refused = live.journal().filter(({ kind }) => kind === 'approver_refused')
      if (refused.length > 0) {
        expect(refused.map(({ body }) => body)).toEqual([
          expect.stringContaining('not the browser that the host started'),
        ])
        if (admitted.length > 0) return
        const person = await live.approver()
        expect(await person.heard.next('alarm')).toMatchObject({
          message: expect.stringMatching(
            /tried to answer for you: .*node \(pid \d+\) came with the ticket of a window/,
          ),
        })
      }
      expect(existsSync(join(place.work, 'self-approved'))).toBe(false)
    },
  )

  test('A14, A25a, A25b: while the window is open no process tells a ticket or a key, and its browser has no debugger', {
    timeout: 120_000,
  }, async () => {
    const live = await start()
    const client = await live.client()
    client.command('/bin/echo hello')
    const letIn = () => live.journal().some(({ kind, body }) => kind === 'approver_admitted' && body.includes('ticket'))
    await eventually('the window is let in', letIn, START_MS)
    const keys = ['local', 'host', 'bridge'].map(name => place.read(`home/state/${name}.key`).trim())
    const told = new RegExp(['tkt_[0-9a-f]', ...keys.filter(key => key !== '')].join('|'))
    const all = processes()
    const browser = all.filter(({ cmdline }) => cmdline.includes(join(place.home, 'state/window')))
    expect(browser.some(({ cmdline }) => cmdline.includes('--app='))).toBe(true)
    expect(all.filter(({ cmdline, environ }) => told.test(cmdline) || told.test(environ))).toEqual([])
    expect(browser.filter(({ cmdline }) => cmdline.includes('remote-debugging'))).toEqual([])
    expect(filesBelow(join(place.home, 'state/window')).filter(file => file.endsWith('DevToolsActivePort'))).toEqual([])
    expect(browser.flatMap(({ pid }) => listeningPorts(pid))).toEqual([])
    // The same look finds what is there: the host listens for approvers.
    expect(listeningPorts(host?.pid ?? 0)).toContain(live.host.approverPort)
  })

  test('A25c: nothing in the browser’s profile tells the ticket', { timeout: 120_000 }, async () => {
    // Keeps the page with the ticket, and the profile as the browser leaves it: what it writes late it has written at its end.
    const keeping = place.write(
      'keeping.sh',
      `#!/bin/sh
for each; do case $each in
  --app=*) cp "\${each#--app=file://}" ${place.root}/page;;
  --user-data-dir=*) profile=\${each#--user-data-dir=};;
esac; done
${drivableBrowser(place)} "$@"
cp -r "$profile" ${place.root}/leaving && mv ${place.root}/leaving ${place.root}/left
`,
      0o755,
    )
    const live = await start({ PM_TERM_BROWSER: keeping })
    const client = await live.client()
    client.command('/bin/echo hello')
    await (await windows.next()).armed()
    const [, id = 'no', secret = 'ticket'] = /(tkt_[0-9a-f]+)\.([0-9a-f]{64})/.exec(place.read('page')) ?? []
    await windows.close()
    const left = join(place.root, 'left')
    await eventually('it has ended', () => existsSync(left), START_MS)
    const files = filesBelow(left)
    expect(files.some(file => file.endsWith('/History'))).toBe(true)
    const tells = (file: string) => [id, secret].some(part => readFileSync(file, 'latin1').includes(part))
    expect([tells(join(place.root, 'page')), files.filter(tells)]).toEqual([true, []])
  })
})

const inProc = (file: string): string => {
  try {
    return readFileSync(join('/proc', file), 'utf8')
  } catch {
    return '' // ended meanwhile
  }
}
const processes = () =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => ({ pid: Number(pid), cmdline: inProc(`${pid}/cmdline`), environ: inProc(`${pid}/environ`) }))

/** The ports of this machine on which a process waits for others. */
function listeningPorts(pid: number): number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        return [] // closed meanwhile
      }
    }),
  )
  const rows = [inProc('net/tcp'), inProc('net/tcp6')].flatMap(text =>
    text.split('\n').map(row => row.trim().split(/\s+/)),
  )
  const LISTEN = '0A'
  return rows
    .filter(row => row[3] === LISTEN && sockets.has(row[9] ?? ''))
    .map(row => Number.parseInt(row[1]?.split(':')[1] ?? '', 16))
}

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
