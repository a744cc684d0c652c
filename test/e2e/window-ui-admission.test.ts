import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PersonAtTerminal } from '../drivers/approver.ts'
import type { WindowPage } from '../drivers/browser.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import { drivableBrowser, HostWindows } from '../drivers/host-window.ts'
import type { LiveHost } from '../drivers/live-host.ts'
import { needs } from '../drivers/needs.ts'
import { HiddenScreen } from '../drivers/screen.ts'

/** Somebody at a terminal wants to answer, too; the person at the window lets them in, or not. */
describe('a second one who wants to answer', needs('a screen'), () => {
  let screen: HiddenScreen
  let at: HostProcesses
  let windows: HostWindows
  let live: LiveHost
  let window: WindowPage
  let person: PersonAtTerminal
  beforeEach(async () => {
    screen = await HiddenScreen.open()
    at = new HostProcesses({ DISPLAY: screen.display })
    windows = new HostWindows(at.place)
    await at.start([], { PM_TERM_BROWSER: drivableBrowser(at.place) })
    live = at.live()
    const client = await live.client()
    client.ask('show_window')
    window = await windows.next()
    person = PersonAtTerminal.start(at.place)
    await person.sees('Code: ')
  })
  afterEach(async () => {
    await person.leaves()
    await windows.close()
    await at.close()
    screen.close()
  })

  const shown = () => window.page.getByRole('alertdialog', { name: 'Somebody asks to be admitted' })

  test('the window shows who asks to be let in, and its code lets them in, once', { timeout: 60_000 }, async () => {
    await shown().waitFor()
    expect(await window.read('[data-admission]')).toMatch(
      /\(terminal, .*, process \d+\) asks to be admitted as an approver\. If it is you,/,
    )
    const code = await window.read('[data-code]')
    expect(code).toMatch(/^\d{3} \d{3} \d{3}$/)
    person.type(`${code}\r`)
    await person.sees('No commands waiting')
    await shown().waitFor({ state: 'detached' })
    await window.page.locator('[data-notice]', { hasText: 'may answer now, too (admitted by a code)' }).waitFor()
    // Both answer from now on, and each sees what the other said.
    const client = await live.client()
    const id = client.command('/bin/echo answered elsewhere', { working_directory: at.place.work })
    await window.page.locator('[data-ask]').waitFor()
    // The card says so for a moment, then it leaves: whoever wants to see it looks at it meanwhile.
    await Promise.all([window.page.locator('[data-over=approved]').waitFor(), person.approves('answered elsewhere')])
    expect(await client.response(id)).toMatchObject({ status: 'approved' })
  })

  test('whoever is not you is cut off with one click, and it is written down', {
    timeout: 60_000,
  }, async () => {
    await shown().waitFor()
    await window.page.getByRole('button', { name: 'Not me: cut it off' }).click()
    await shown().waitFor({ state: 'detached' })
    await person.sees('A person refused to admit')
    expect(live.journal().filter(({ kind }) => kind === 'approver_refused')).toMatchObject([
      { body: expect.stringContaining('refused by a person') },
    ])
  })
})
