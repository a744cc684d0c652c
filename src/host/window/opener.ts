import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { privateDirectory, writeAtomically } from '../../base/atomic-file.ts'
import type { Clock } from '../../base/clock.ts'
import { Disposables } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'
import { toType } from '../../base/own-command.ts'
import { NO_SCREEN, type ScreenEnv, type Shown } from '../approvers/shown.ts'
import { type PeerSight, TicketBearer } from './ticket-bearer.ts'
import type { WindowTickets } from './tickets.ts'
import type { Windows } from './windows.ts'

/** A browser that was started for one page alone. */
export interface StartedBrowser {
  readonly pid: number | undefined
  end(): void
  /** Called when it has ended. */
  onEnd(listener: () => void): void
}

/**
 * Starts a browser with a page; resolves when it was started. Throws saying what to do. `screen`: where, when a person said so.
 * `started` hears of it as soon as it runs, if it was started for this page alone. One that was not is none of ours: it gets
 * `plainUrl`, and `notOurs` is called before.
 */
export type Browser = (page: {
  /** With the ticket in it. */
  readonly url: string
  /** Without: the page asks for a code. */
  readonly plainUrl: string
  readonly directory: string
  readonly screen: ScreenEnv | null
  readonly started: (browser: StartedBrowser) => void
  readonly notOurs: () => void
}) => Promise<unknown>

export interface OpenerDeps {
  readonly clock: Clock
  readonly log: Log
  readonly tickets: WindowTickets
  readonly windows: Windows
  readonly browser: Browser
  readonly sight: PeerSight
  readonly origin: string
  /** What the person chose: the page is drawn so from the first moment. */
  readonly theme: () => 'light' | 'dark' | null
  /** 0700, ours: where the redirect lies while a browser starts. */
  readonly directory: string
}

/** How long a window that was opened may take to report in (docs/spec.md D22). */
const REPORTS_WITHIN_MS = 15_000

/** Opens windows: makes a ticket, lays it down where only the browser is sent, and waits until the page is there. */
export class WindowOpener {
  readonly #deps: OpenerDeps
  readonly #browsers = new Set<{ end(): void }>()
  #closed = false
  #opening: Promise<Shown> | null = null
  #byCode = false
  /** Where a person wants it, until nothing can be shown there any more. */
  #screen: ScreenEnv | null = null

  constructor(deps: OpenerDeps) {
    this.#deps = deps
    // Profiles of windows that outlived their host: nobody can answer in them any more. Their browser may still write there, and
    // that must not keep this host from starting.
    try {
      rmSync(deps.directory, { recursive: true, force: true, maxRetries: 3 })
    } catch (cause) {
      deps.log.warn('what an earlier window left could not be removed', { cause })
    }
  }

  /** One at a time: whoever asks meanwhile gets the same window. Nobody gets a ticket. */
  show(screen: ScreenEnv | null = null): Promise<Shown> {
    if (this.#deps.windows.someVisible) return Promise.resolve({ shown: true, message: 'The window is open.' })
    this.#screen = screen ?? this.#screen
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null
    })
    return this.#opening
  }

  /** A browser was opened that is not ours, so its page may ask for a code. */
  get byCode(): boolean {
    return this.#byCode
  }

  /** Takes along the browsers that were started for a window of ours. */
  close(): void {
    this.#closed = true
    for (const browser of this.#browsers) browser.end()
    this.#browsers.clear()
  }

  /** Ours from its first moment: a host that ends while a window is just opening takes it along too. */
  #take(browser: { end(): void }): void {
    if (this.#closed) browser.end()
    else this.#browsers.add(browser)
  }

  async #open(): Promise<Shown> {
    const { clock, windows, browser, directory, log } = this.#deps
    const life = new Disposables()
    try {
      const bearer = new TicketBearer(this.#deps.sight)
      const { url, cancel } = this.#layDown(life, bearer)
      const reported = new Promise<boolean>(resolve => {
        life.add(windows.onArrival(() => resolve(true)))
        life.add(clock.after(REPORTS_WITHIN_MS, () => resolve(false)))
      })

      await browser({
        url,
        plainUrl: `${this.#deps.origin}/`,
        directory,
        screen: this.#screen,
        started: each => {
          this.#take(each)
          if (each.pid !== undefined) bearer.started(each.pid)
          each.onEnd(() => {
            bearer.ended()
            cancel()
          })
        },
        notOurs: () => {
          this.#byCode = true
          cancel()
        },
      })

      if (await reported) return { shown: true, message: 'The window is open.' }
      if (this.#byCode) return { shown: false, message: BY_CODE }
      return {
        shown: false,
        message: `A browser was started, but its page did not report in within 15 s. ${OTHERWISE}`,
      }
    } catch (cause) {
      this.#screen = null
      log.warn('no window could be opened', { cause })
      const { message, details } = cause as Error & { details?: { reason?: unknown } }
      return {
        shown: false,
        message: `No window could be opened, because ${message} ${OTHERWISE}`,
        ...(details?.reason === NO_SCREEN && { reason: NO_SCREEN }),
      }
    } finally {
      life.dispose()
    }
  }

  /** A file that sends the browser on, ticket and all: what is in an argument list everybody can read. */
  #layDown(life: Disposables, bearer: TicketBearer): { readonly url: string; readonly cancel: () => void } {
    const { directory, tickets, origin } = this.#deps
    const theme = this.#deps.theme()
    privateDirectory(directory)
    const file = join(directory, `open-${randomBytes(8).toString('hex')}.html`)
    const { fragment, cancel } = tickets.mint(bearer)
    // Whatever becomes of it: when nobody waits for that page any more, nobody comes in with its ticket (docs/spec.md D22).
    life.defer(cancel)
    writeAtomically(file, redirectTo(`${origin}/${fragment}${theme ? `&theme=${theme}` : ''}`))
    life.defer(() => rmSync(file, { force: true }))
    return { url: pathToFileURL(file).href, cancel }
  }
}

const BY_CODE = `Your own browser was asked to show the window. It is admitted by the code that another window or terminal of the host shows. To answer without a window: "${toType('approve')}" in a terminal.`
const OTHERWISE = `To answer without a window: "${toType('approve')}" in a terminal.`

const redirectTo = (address: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Interactive Terminal</title><meta http-equiv="refresh" content="0;url=${address}">\n`
