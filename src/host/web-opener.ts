import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { privateDirectory, writeAtomically } from '../base/atomic-file.ts'
import type { Clock } from '../base/clock.ts'
import { Disposables } from '../base/disposable.ts'
import type { Log } from '../base/log.ts'
import type { WindowTickets } from './web-tickets.ts'
import type { Windows } from './windows.ts'

/** Starts a browser with a page; resolves when it was started. Throws saying what to do. */
export type Browser = (page: { readonly url: string; readonly directory: string }) => Promise<void>

export interface OpenerDeps {
  readonly clock: Clock
  readonly log: Log
  readonly tickets: WindowTickets
  readonly windows: Windows
  readonly browser: Browser
  readonly origin: string
  /** 0700, ours: where the redirect lies while a browser starts. */
  readonly directory: string
}

export interface Shown {
  readonly shown: boolean
  readonly message: string
}

/** How long a window that was opened may take to report in (SPEC D22). */
const REPORTS_WITHIN_MS = 15_000

/** Opens windows: makes a ticket, lays it down where only the browser is sent, and waits until the page is there. */
export class WindowOpener {
  readonly #deps: OpenerDeps
  #opening: Promise<Shown> | null = null

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
  show(): Promise<Shown> {
    if (this.#deps.windows.someVisible) return Promise.resolve({ shown: true, message: 'The window is open.' })
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null
    })
    return this.#opening
  }

  async #open(): Promise<Shown> {
    const { clock, windows, browser, directory, log } = this.#deps
    const life = new Disposables()
    try {
      const url = this.#layDown(life)
      const reported = new Promise<boolean>(resolve => {
        life.add(windows.onArrival(() => resolve(true)))
        life.add(clock.after(REPORTS_WITHIN_MS, () => resolve(false)))
      })
      await browser({ url, directory })
      if (await reported) return { shown: true, message: 'The window is open.' }
      return {
        shown: false,
        message: `A browser was started, but its page did not report in within 15 s. ${OTHERWISE}`,
      }
    } catch (cause) {
      log.warn('no window could be opened', { cause })
      return { shown: false, message: `No window could be opened: ${(cause as Error).message} ${OTHERWISE}` }
    } finally {
      life.dispose()
    }
  }

  /** A file that sends the browser on, ticket and all: what stands in an argument list everybody can read. */
  #layDown(life: Disposables): string {
    const { directory, tickets, origin } = this.#deps
    privateDirectory(directory)
    const file = join(directory, `open-${randomBytes(8).toString('hex')}.html`)
    writeAtomically(file, redirectTo(`${origin}/${tickets.mint()}`))
    life.defer(() => rmSync(file, { force: true }))
    return pathToFileURL(file).href
  }
}

const OTHERWISE = 'Answer with "interactive-terminal approve" in a terminal instead.'

const redirectTo = (address: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Interactive Terminal</title><meta http-equiv="refresh" content="0;url=${address}">\n`
