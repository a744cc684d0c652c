import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import type { LiveHost } from './live-host.ts'
import { freshPage, openWindowHost } from './window.ts'

export interface Look {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  readonly reducedMotion?: boolean
}

/** For all files that this worker runs: what one person leaves in a browser no other finds in theirs. Playwright ends it with the process. */
let usual: Promise<Browser> | null = null

function usualBrowser(): Promise<Browser> {
  const launch = () => launchChromium({ args: ['--disable-3d-apis'] })
  usual = usual?.then(browser => (browser.isConnected() ? browser : launch())) ?? launch()
  return usual
}

/** A real host and a real Chromium. What the host asks to be opened is opened in it. */
export class BrowserHost {
  readonly live: LiveHost
  readonly #browser: Browser
  readonly #opened: readonly { readonly url: string }[]
  readonly contexts: BrowserContext[] = []
  /** What was to be opened in the person's own browser. */
  readonly links: readonly string[]
  /** Whether the browser ends with this host. */
  readonly #ends: boolean

  private constructor(
    live: LiveHost,
    browser: Browser,
    how: {
      readonly opened: readonly { readonly url: string }[]
      readonly links: readonly string[]
      readonly ends: boolean
    },
  ) {
    this.links = how.links
    this.live = live
    this.#browser = browser
    this.#opened = how.opened
    this.#ends = how.ends
  }

  /** `webgl`: terminals are drawn as on a machine with a graphics card; without it as on one without, as elements. */
  static async open(
    options: NonNullable<Parameters<typeof openWindowHost>[0]> & { webgl?: true; notifies?: true } = {},
  ) {
    const args = [options.webgl ? '--enable-unsafe-swiftshader' : '--disable-3d-apis']
    const ownBrowser = options.webgl || options.notifies ? launchChromium({ args }, options.notifies) : null
    const [{ live, ...asked }, browser] = await Promise.all([openWindowHost(options), ownBrowser ?? usualBrowser()])
    return new BrowserHost(live, browser, { ...asked, ends: ownBrowser !== null })
  }

  /** A window, opened the way the host opens one, and let in. */
  async window(look: Look = {}, before: Page | null = null): Promise<WindowPage> {
    let showing = this.live.host.showWindow()
    let opened = freshPage(this.#opened)
    // The host opens none as long as it has not heard that the one before is covered or closed.
    for (; !opened; opened = freshPage(this.#opened)) {
      await new Promise(resolve => setImmediate(resolve))
      showing = this.live.host.showWindow()
    }
    const file = readFileSync(fileURLToPath(opened.url), 'utf8')
    const address = /url=([^"]+)"/.exec(file)?.[1] ?? ''
    const page = before ?? (await this.page(look))
    const window = new WindowPage(page)
    await page.goto(address)
    await window.admitted()
    // Beside the list, in which nothing moves while somebody points at it: some browsers put the pointer there by themselves.
    await page.mouse.move((look.width ?? 1180) / 2, 20)
    await showing
    return window
  }

  async page(look: Look = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width: look.width ?? 1180, height: look.height ?? 780 },
      colorScheme: look.theme ?? 'light',
      reducedMotion: look.reducedMotion ? 'reduce' : 'no-preference',
    })
    this.contexts.push(context)
    context.setDefaultTimeout(40_000)
    return context.newPage()
  }

  async close(): Promise<void> {
    await this.closeBrowser()
    await this.live.close()
  }

  /** Of a host that has ended already. */
  async closeBrowser(): Promise<void> {
    if (this.#ends) await this.#browser.close()
    else await Promise.all(this.contexts.map(context => context.close()))
  }
}

/** A window as a person has it before them. */
export class WindowPage {
  readonly page: Page
  /** What the browser complained of: nothing, in a window that is well. */
  readonly complaints: string[] = []

  constructor(page: Page) {
    this.page = page
    page.on('pageerror', error => this.complaints.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text())
    })
  }

  async admitted(): Promise<void> {
    const open = this.page.locator('[data-link=open]').waitFor({ state: 'attached', timeout: 45_000 })
    await open.catch(async error => {
      const shown = await this.page.evaluate('document.body.innerText').catch(String)
      throw new Error(`not admitted; the page shows "${shown}" and said ${this.complaints.join('; ')}`, {
        cause: error,
      })
    })
  }

  /** As if another window lay over it, or it were minimised. */
  async cover(covered: boolean): Promise<void> {
    const state = JSON.stringify(covered ? 'hidden' : 'visible')
    await this.page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: ${state}, configurable: true });
       document.dispatchEvent(new Event('visibilitychange'))`,
    )
  }

  /** The card that is shown, read to its end, once its buttons are alive. */
  async armed(): Promise<Locator> {
    const button = this.page.locator('[data-approve][aria-disabled=false]')
    const unseen = this.page.locator('[data-unseen]')
    await button.or(unseen).first().waitFor()
    while (await unseen.isVisible()) await unseen.click({ timeout: 1000 }).catch(() => {})
    await button.waitFor()
    return button
  }

  /** No key went down for as long as it takes a no to count. */
  async settled(): Promise<void> {
    await this.page.locator('[data-settled=true]').waitFor()
  }

  /**
   * While it acts, the page watches the keys: the longest rest between two that do not only
   * read on. A busy machine puts rests between keys that were
   * typed without one, and whoever rests may decide.
   */
  async longestRest(act: () => Promise<unknown>): Promise<number> {
    await this.page.evaluate(`window.keyTimes = []
      window.keyTime = ({ key, timeStamp }) => /^( |Control|Shift)$/.test(key) || window.keyTimes.push(timeStamp)
      addEventListener('keydown', window.keyTime, { capture: true })`)
    await act()
    return this.page.evaluate<number>(`removeEventListener('keydown', window.keyTime, { capture: true })
      Math.max(...window.keyTimes.slice(1).map((time, i) => time - window.keyTimes[i]))`)
  }

  /** Nothing is asked any more. */
  async empty(): Promise<void> {
    await this.page.locator('[data-item]').first().waitFor({ state: 'detached' })
  }

  async approve(): Promise<void> {
    await (await this.armed()).click()
  }

  /** A new shell of the person, as they find it: shown, with the keyboard in it, at its prompt. Its id. */
  async newShell(): Promise<string> {
    const { page } = this
    const before = await page.locator('[data-tab]').count()
    await page.locator('[data-new-terminal]').click()
    const id = (await page.locator('[data-tab]').nth(before).getAttribute('data-tab')) ?? ''
    await page.locator(`[data-terminal="${id}"] .xterm-helper-textarea:focus`).waitFor({ state: 'attached' })
    // Drawn on a canvas there are no letters to find.
    const prompt = this.page.locator('[data-screen] .xterm-rows', { hasText: /[$#]/ })
    await prompt.or(this.page.locator('[data-screen] .xterm-screen canvas')).first().waitFor()
    return id
  }

  /** What a person reads there, without the marks where a long word may be cut. */
  async read(selector: string): Promise<string> {
    return (await this.page.locator(selector).innerText()).replaceAll('\u00ad', '')
  }

  /** The rows of the terminal that is shown. */
  async screen(): Promise<string> {
    return (await this.page.locator('[data-screen] .xterm-rows > div').allInnerTexts())
      .map(row => row.replaceAll('\u00a0', ' ').trimEnd())
      .join('\n')
      .trimEnd()
  }

  /** Waits until the terminal shows it. */
  async shows(text: string | RegExp): Promise<void> {
    await this.page.locator('[data-screen] .xterm-rows', { hasText: text }).waitFor()
  }

  /** What a person reads in the command's code view, row by row. */
  async commandText(): Promise<string> {
    const rows = await this.page.locator('[data-command] [data-row]').allTextContents()
    return rows.join('').replaceAll('\u00ad', '')
  }
}
