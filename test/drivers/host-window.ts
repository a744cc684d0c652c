import { readdirSync, readFileSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { WindowPage } from './browser.ts'
import { SYSTEM_CHROMIUM } from './chromium.ts'
import { eventually } from './mcp-client.ts'
import type { Place } from './place.ts'

const STARTS_WITHIN_MS = 30_000

/** The browser a host of that place starts, as PM_TERM_BROWSER: the real one, but a test may drive it. */
export const drivableBrowser = (place: Place, more: readonly string[] = []): string =>
  place.write(
    'browser.sh',
    `#!/bin/sh\nexec ${SYSTEM_CHROMIUM} --remote-debugging-port=0 ${more.join(' ')} "$@"\n`,
    0o755,
  )

/** The windows that hosts of one place opened by themselves, on a screen, each in a browser of its own. */
export class HostWindows {
  readonly #place: Place
  readonly #known = new Set<string>()
  readonly #drivers: Browser[] = []

  constructor(place: Place) {
    this.#place = place
  }

  /** The next one that opens, let in. */
  async next(): Promise<WindowPage> {
    const driver = await chromium.connectOverCDP(`http://127.0.0.1:${await this.#port()}`)
    this.#drivers.push(driver)
    const [page] = driver.contexts()[0]?.pages() ?? []
    if (!page) throw new Error('no page')
    const window = new WindowPage(page)
    await window.admitted()
    return window
  }

  /** Where the driver of a browser that is not known yet listens. */
  async #port(): Promise<string> {
    let port = ''
    await eventually(
      'a browser can be driven',
      () => {
        for (const profile of this.#profiles()) {
          port = this.#place.read(`home/state/window/${profile}/DevToolsActivePort`).split('\n')[0] ?? ''
          if (port === '') continue
          this.#known.add(profile)
          return true
        }
        return false
      },
      STARTS_WITHIN_MS,
    )
    return port
  }

  #profiles(): string[] {
    try {
      const entries = readdirSync(`${this.#place.home}/state/window`, { withFileTypes: true })
      return entries.filter(entry => entry.isDirectory() && !this.#known.has(entry.name)).map(({ name }) => name)
    } catch {
      return [] // none was opened yet
    }
  }

  /** Ends the browsers, also those whose host has died, and waits until they write nothing more. */
  async close(): Promise<void> {
    for (const driver of this.#drivers.splice(0)) {
      if (!driver.isConnected()) continue
      const session = await driver.newBrowserCDPSession()
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      await session.send('Browser.close').catch(() => {}) // its end may come before its answer
      for (const { id } of processInfo) await eventually('the browser ends', () => !isRunning(id), STARTS_WITHIN_MS)
      await driver.close()
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '' // empty: it has ended, and nobody has asked how
  } catch {
    return false
  }
}
