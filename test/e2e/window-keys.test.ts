import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { WindowPage } from '../drivers/browser.ts'
import { HostProcesses } from '../drivers/host-process.ts'
import { drivableBrowser, HostWindows } from '../drivers/host-window.ts'
import type { FakeClient, LiveHost } from '../drivers/live-host.ts'
import { eventually } from '../drivers/mcp-client.ts'
import { needs } from '../drivers/needs.ts'
import { HiddenScreen } from '../drivers/screen.ts'

/** Everything that could be taken for an answer, as fast as it comes out of a keyboard. */
const WORDS = 'yes yes approve it ray Re ey a y n e r s j k ok '

/** With a rest of the arming time a key may be meant for the card. */
const MOST_REST_MS = 350

describe('keys of a real keyboard', needs('a keyboard'), () => {
  let screen: HiddenScreen
  let at: HostProcesses
  let windows: HostWindows
  let window: WindowPage
  let live: LiveHost
  let client: FakeClient
  beforeAll(async () => {
    screen = await HiddenScreen.open()
    screen.manage()
    at = new HostProcesses({ PM_TERM_KILL_GRACE_MS: '300', DISPLAY: screen.display })
    windows = new HostWindows(at.place)
    await at.start([], { PM_TERM_BROWSER: drivableBrowser(at.place) })
    live = at.live()
    client = await live.client()
    client.ask('show_window')
    window = await windows.next()
    await screen.does('search', '--sync', '--onlyvisible', '--name', 'Interactive Terminal', 'windowactivate', '--sync')
    await eventually('it has the keyboard', () => window.page.evaluate<boolean>('document.hasFocus()'))
  })
  afterAll(async () => {
    await windows.close()
    await at.close()
    screen.close()
  })
  afterEach(async () => {
    expect(window.complaints).toEqual([])
    await window.page.locator('[data-item]').first().waitFor({ state: 'detached' })
  })

  const types = (text: string) => screen.does('type', '--delay', '15', '--', text)
  const asks = (command: string) => client.command(command, { working_directory: at.place.work })
  const answers = () => live.journal().filter(({ kind }) => kind === 'answered').length

  /** Nobody was fooled: it is still open, and an answer that is meant is one. */
  async function isStillOpenUntilMeant(id: string, before: number): Promise<void> {
    expect(answers()).toBe(before)
    await window.armed()
    await screen.does('key', 'ctrl+Return')
    expect(await client.response(id)).toMatchObject({ status: 'approved', exit_code: 0 })
    expect(answers()).toBe(before + 1)
  }

  test('whoever types into a terminal while a question comes decides nothing, and every key is in the terminal', {
    timeout: 90_000,
  }, async () => {
    const { page } = window
    await window.newShell()
    const file = `${at.place.work}/typed`
    await types(`stty -echo; echo re''ady; cat > ${file}\n`)
    await window.shows('ready')
    const before = answers()
    const typing = (async () => {
      for (let i = 0; i < 4; i++) {
        await types(`${WORDS}\n`)
        await screen.does('key', '--delay', '15', 'space', 'Return', 'y', 'ctrl+Return', 'a', 'Return')
      }
    })()
    const id = asks('/bin/echo came while typing')
    await page.locator('[data-item]').waitFor()
    await typing
    await screen.does('key', 'ctrl+d')
    await eventually('all is written', () => at.place.read('work/typed').split('\n').length === 17)
    expect(at.place.read('work/typed')).toBe(`${WORDS}\n \ny\na\n`.repeat(4))
    await screen.does('key', 'F6')
    await isStillOpenUntilMeant(id, before)
  })

  test('whoever types into a field while a question comes decides nothing, and every letter is in the field', {
    timeout: 90_000,
  }, async () => {
    const { page } = window
    await page.locator('[data-tab] button').first().click()
    await page.getByRole('button', { name: 'Search (Ctrl Shift F)' }).click()
    const field = page.getByLabel('Search in this terminal')
    await field.focus()
    const before = answers()
    const typing = types(WORDS.repeat(4)).then(() => screen.does('key', '--delay', '15', 'Return', 'ctrl+Return', 'y'))
    const id = asks('/bin/echo came while searching')
    await page.locator('[data-item]').waitFor()
    await typing
    await expect.poll(() => field.inputValue()).toBe(`${WORDS.repeat(4)}y`)
    await screen.does('key', 'F6')
    await isStillOpenUntilMeant(id, before)
  })

  test('whoever types while a question comes up under their hands decides nothing and opens nothing in it', {
    timeout: 120_000,
  }, async () => {
    const { page } = window
    for (;;) {
      await page.getByRole('button', { name: 'Start', exact: true }).click()
      await page.evaluate('document.activeElement.blur()')
      const before = answers()
      let id = ''
      const rest = await window.longestRest(async () => {
        const typing = (async () => {
          for (let i = 0; i < 4; i++) {
            await types(WORDS)
            await screen.does('key', '--delay', '15', 'space', 'Return', 'y', 'ctrl+Return', 'a', 'Return')
          }
        })()
        id = asks('/bin/echo came under their hands')
        await page.locator('[data-ask]').waitFor()
        await typing
      })
      if (rest < MOST_REST_MS) {
        expect(await page.locator('[data-ask] :is(input:not([type=checkbox]), textarea)').count()).toBe(0)
        await isStillOpenUntilMeant(id, before)
        return
      }
      client.send({ type: 'cancel', request_id: id, trace_id: 'trace_1' })
      await page.locator('[data-item]').first().waitFor({ state: 'detached' })
    }
  })

  test('a key that is held down while a question comes decides nothing when it is let go', {
    timeout: 90_000,
  }, async () => {
    const { page } = window
    for (const key of ['Return', 'space']) {
      await page.getByRole('button', { name: 'Start', exact: true }).click()
      await page.evaluate('document.activeElement.blur()')
      const before = answers()
      await screen.does('keydown', key)
      const id = asks(`/bin/echo came while ${key} was held`)
      await page.locator('[data-ask] [data-decline]:focus').waitFor()
      await page.evaluate('new Promise(resolve => setTimeout(resolve, 1200))')
      await screen.does('keyup', key)
      await isStillOpenUntilMeant(id, before)
    }
  })
})
