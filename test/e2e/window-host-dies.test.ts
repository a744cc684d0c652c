import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HostProcesses } from '../drivers/host-process.ts'
import { drivableBrowser, HostWindows } from '../drivers/host-window.ts'
import { PASSPHRASE } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'
import { HiddenScreen } from '../drivers/screen.ts'

const PRINTED = /300\s*bold 你好/

describe('the host dies under an open window', needs('a screen'), () => {
  let screen: HiddenScreen
  let at: HostProcesses
  let windows: HostWindows
  beforeAll(async () => {
    screen = await HiddenScreen.open()
    at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', DISPLAY: screen.display })
    windows = new HostWindows(at.place)
  })
  afterAll(async () => {
    await windows.close()
    await at.close()
    screen.close()
  })

  test('the window says that the host is gone and decides nothing; the next host’s window has the same terminals, and not the question', {
    timeout: 120_000,
  }, async () => {
    const browser = { PM_TERM_BROWSER: drivableBrowser(at.place) }
    await at.start([], browser)
    const before = await at.live().client()
    // The passphrase, given once, seals what was decided before: the next host has no card about it.
    const terminal = await at.live().approver()
    terminal.link.close('it was given')
    before.ask('show_window')
    const window = await windows.next()
    const { page } = window
    await window.newShell()
    await page.keyboard.type("KEPT=here; clear; seq 1 300; printf '\\033[1mbold 你好\\033[0m\\n'")
    await page.keyboard.press('Enter')
    // What it printed, not the line itself, in which the words are as well.
    await window.shows(PRINTED)
    const rows = await window.screen()
    const asked = before.command('touch ran', { working_directory: at.place.work })
    await page.locator('[data-item]').click()
    await window.armed()
    const ports = at.told()

    await at.kill('host')
    await page.locator('[data-lost]').waitFor()
    expect(await page.locator('[data-approve]').getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Control+Enter')
    await page.locator('[data-notice]', { hasText: 'nothing was decided' }).waitFor()

    // On the same address, as with the ports people have.
    await at.start([], { ...browser, PM_TERM_APPROVER_PORT: String(ports?.approver_port) })
    await page.locator('[data-shut]', { hasText: 'what was open was not answered here' }).waitFor()
    expect(await page.title()).toBe('Interactive Terminal')
    await page.keyboard.press('Control+Enter')

    const after = await at.live().client()
    after.ask('show_window')
    const next = await windows.next()
    // A11: the person hears how the last one ended.
    expect(await next.read('[data-shut]')).toContain('The last host was killed')
    await next.page.getByRole('button', { name: 'Understood' }).click()
    await next.page.locator('[data-tab] button').first().click()
    await next.shows(PRINTED)
    expect(await next.screen()).toBe(rows)
    // A8c: it is typed into again once the person has proved to be one.
    const typeAgain = async () => {
      await next.page.locator('[data-screen] .xterm-helper-textarea').focus()
      await next.page.keyboard.type('echo still $KEPT')
    }
    await typeAgain()
    await next.page.locator('[data-notice]', { hasText: 'was killed' }).waitFor()
    await next.page.getByTitle('What protects you').click()
    const unlock = next.page.locator('[data-unlock=asks]')
    await unlock.getByLabel('Your passphrase').fill('not this one')
    await unlock.getByRole('button').click()
    await next.page.locator('[data-notice]', { hasText: 'not the passphrase' }).waitFor()
    await unlock.getByLabel('Your passphrase').fill(PASSPHRASE)
    await unlock.getByRole('button').click()
    await unlock.waitFor({ state: 'detached' })
    await next.page.getByTitle('What protects you').click()
    await typeAgain()
    await next.page.keyboard.press('Enter')
    await next.shows('still here')
    expect(await next.page.locator('[data-item]').count()).toBe(0)
    const read = after.ask('read_output', { session_id: asked })
    expect(await after.heard.next('output', frame => frame.request_id === read)).toMatchObject({ state: 'withdrawn' })
    const answers = at
      .live()
      .journal()
      .filter(({ kind }) => kind === 'answered')
    expect([answers, existsSync(join(at.place.work, 'ran'))]).toEqual([[], false])
    expect(next.complaints).toEqual([])
  })
})
