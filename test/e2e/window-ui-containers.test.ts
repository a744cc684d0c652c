import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BrowserHost, type WindowPage } from '../drivers/browser.ts'
import { commandLine } from '../drivers/command-line.ts'
import { type Opened, openStdio } from '../drivers/mcp-client.ts'

const ON_LOOPBACK = { PM_TERM_BRIDGE_ADDRESS: '127.0.0.1', PM_INTERACTIVE_TERMINAL_HOST_PORT: '0' }

describe('containers in the window', () => {
  let host: BrowserHost
  let window: WindowPage
  const servers: Opened[] = []
  beforeEach(async () => {
    host = await BrowserHost.open({ env: ON_LOOPBACK })
    window = await host.window()
  })
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(server => server.close()))
    await host.close()
  })

  /** The server as it is in a container, with its key; the bridge sees no difference. */
  async function container(name: string): Promise<Opened> {
    const { live } = host
    // A copy, as a mounted secret is one: what happens to ours does not change it.
    const key = live.place.write(`secrets/${name}`, readFileSync(join(live.state, 'keys', `${name}.key`), 'utf8'))
    const env = {
      PM_RUNNING_IN_CONTAINER: 'true',
      // The file, not a port: whoever is refused there tries no other way.
      PM_INTERACTIVE_TERMINAL_HOST_SOCKET: join(live.state, 'bridge', 'host.sock'),
      PM_INTERACTIVE_TERMINAL_KEY_FILE: key,
    }
    const server = await openStdio({ place: live.place, env })
    servers.push(server)
    return server
  }
  const runs = (server: Opened, command: string) =>
    server.interactive({
      action: 'execute',
      invocation: { mode: 'interactive', intent: 'execute_command' },
      execution: { command },
      runtime: { timeout_ms: 1 },
    })
  const lists = async (server: Opened) =>
    (await server.interactive({ action: 'list' })).data.result.items?.map(({ command }) => command)
  const row = (name: string) => window.page.locator(`[data-paired="${name}"]`)
  const saysOf = (name: string, text: string | RegExp) => row(name).filter({ hasText: text }).waitFor()
  const cutOff = async (name: string) => {
    await row(name)
      .getByRole('button', { name: `Cut off ${name}…` })
      .click()
    return window.page.getByRole('dialog')
  }

  test('each container is there by its name: whether it is connected, since when, what it runs and what it asks', async () => {
    await window.page.locator('[data-start]').waitFor()
    expect(await window.page.getByRole('region', { name: 'Containers' }).count()).toBe(0)
    host.live.pair('box')
    await saysOf('box', /not connected, paired \d/)
    const box = await container('box')
    const running = runs(box, 'sleep 60')
    await saysOf('box', /connected since .* · 1 waiting/)
    await window.approve()
    await running
    await saysOf('box', /connected since .* · 1 running/)
    await box.close()
    await saysOf('box', /not connected.* · 1 running/)
    expect(window.complaints).toEqual([])
  })

  test('two containers see only their own runs, and the person tells them apart although they call themselves the same', async () => {
    for (const name of ['one', 'two']) host.live.pair(name)
    const [one, two] = [await container('one'), await container('two')]
    for (const [name, server] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const asked = runs(server, `/bin/echo of ${name}`)
      await window.armed()
      expect(await window.read('h1#asks')).toMatch(new RegExp(`\\b${name}\\b.*asks to run`, 's'))
      expect(await window.read('[data-item] [data-proved]')).toBe(name)
      await window.approve()
      await asked
      await window.page.locator('[data-tab] [data-proved]', { hasText: name }).waitFor()
      await window.page.locator('[data-item]').waitFor({ state: 'detached' })
    }
    expect([await lists(one), await lists(two)]).toEqual([['/bin/echo of one'], ['/bin/echo of two']])
  })

  test('a container is cut off at the second press: its question is withdrawn, what runs goes on, its key opens nothing', async () => {
    for (const name of ['box', 'other']) host.live.pair(name)
    const [box, other] = [await container('box'), await container('other')]
    const running = runs(box, 'sleep 61')
    await window.approve()
    const { session_id } = (await running).data.identity
    const asked = runs(box, 'touch never')
    await saysOf('box', /1 running · 1 waiting/)
    const dialog = await cutOff('box')
    expect((await dialog.innerText()).replaceAll('\u00ad', '')).toMatch(
      /Its key opens nothing any more[\s\S]*It is connected: that ends now[\s\S]*1 open question from it is withdrawn[\s\S]*1 command it started is running and will go on/,
    )
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await saysOf('box', /connected since/)
    await (await cutOff('box')).getByRole('button', { name: 'Cut off', exact: true }).click()
    await row('box').waitFor({ state: 'detached' })
    await window.page.locator('[data-notice]', { hasText: 'box is cut off.' }).waitFor()
    await window.page.locator('[data-count]').waitFor({ state: 'detached' })
    expect((await asked).data.error?.code).toBe('PM_TERM_DISCONNECTED')
    expect((await runs(box, 'touch never')).data.error).toMatchObject({ details: { reason: 'not_paired' } })
    await window.page.locator('[data-tab]', { hasText: 'box' }).getByText('running', { exact: false }).waitFor()
    expect(await lists(other)).toEqual([])
    const journal = host.live.journal()
    expect(JSON.parse(journal.findLast(({ kind }) => kind === 'pairing_changed')?.body ?? '{}')).toEqual({
      revoked: 'box',
      by: expect.stringContaining('window'),
    })
    expect(journal.some(({ kind, run_id }) => kind === 'ended' && run_id === session_id)).toBe(false)
    expect(host.live.place.read('work/never')).toBe('')
  })

  test('what was allowed for a while ends with the pairing, whoever revokes it: the next one of that name has to ask', async () => {
    host.live.pair('box')
    const asked = runs(await container('box'), '/bin/echo again')
    await window.armed()
    await window.page.keyboard.press('s')
    await window.page.getByLabel('For a while').check()
    await window.approve()
    await asked
    const scope = window.page.locator('[data-scope]', { hasText: '/bin/echo again' })
    expect(await scope.locator('[data-proved]').innerText()).toBe('box')
    const { live } = host
    await commandLine(live.place, ['pair', '--revoke', 'box'], { PM_TERM_PORT: String(live.host.port) })
    await scope.waitFor({ state: 'detached' })
    await row('box').waitFor({ state: 'detached' })
    live.pair('box')
    const again = runs(await container('box'), '/bin/echo again')
    await window.approve()
    expect((await again).data.result.approved_by).toBe('person')
  })
})
