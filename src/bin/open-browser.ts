import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { TermError } from '../contract/errors.ts'
import type { Browser } from '../host/web-opener.ts'
import { findBrowser } from './find-browser.ts'

export interface BrowserWorld {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly uid: number | undefined
  /** What the person wants instead of what is found; '' is what is found. */
  readonly chosen: string
}

/** Ours to keep; and what would let somebody else's code into a browser that answers for the person. */
const NOT_FOR_A_BROWSER = /^(PM_|INTERACTIVE_TERMINAL|NODE_|LD_|DYLD_|CHROME_|GTK_MODULES$)/
const FAILS_WITHIN_MS = 1500

/**
 * Opens a page as a window of its own in a browser of the Chromium family, with a profile made for this window: nothing that
 * was left in another one (an extension, a worker for this address) can be in it. Else in the person's default browser.
 */
export function openBrowser(world: BrowserWorld): Browser {
  return async ({ url, directory }) => {
    const { platform, env } = world
    if (platform !== 'win32' && platform !== 'darwin' && !env.DISPLAY && !env.WAYLAND_DISPLAY)
      throw new TermError(
        'PM_TERM_GUI_UNAVAILABLE',
        'there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set. Start the host in a terminal of your desktop.',
      )
    const program = world.chosen === '' ? findBrowser(platform, env) : world.chosen
    if (program !== null) return openApp(program, url, { ...world, directory })
    await openDefault(url, world)
  }
}

/**
 * The person's own browser, with everything else they have open in it. It must not end with us, as whatever descends from the
 * host does: on Linux a shell that is gone at once stands between.
 */
async function openDefault(url: string, world: BrowserWorld): Promise<void> {
  if (world.platform === 'linux') {
    const env = browserEnv(world)
    const shell = spawn('/bin/sh', ['-c', 'xdg-open "$0" >/dev/null 2>&1 &', url], {
      detached: true,
      stdio: 'ignore',
      env,
    })
    shell.on('error', () => {}) // then no page reports in, and that is said
    return
  }
  const { default: open } = await import('open')
  const child = await open(url, { wait: false })
  child.on('error', () => {}) // the same
}

const browserEnv = ({ env }: BrowserWorld): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_A_BROWSER.test(name)))

function openApp(program: string, url: string, world: BrowserWorld & { readonly directory: string }): Promise<void> {
  const profile = mkdtempSync(join(world.directory, 'profile-'))
  const args = [
    `--app=${url}`,
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-extensions',
    '--disable-sync',
    '--disable-background-networking',
    '--disable-component-update',
    '--password-store=basic',
    '--window-size=1180,820',
    // Chromium refuses to start for root otherwise; all it is shown is our own page.
    ...(world.uid === 0 ? ['--no-sandbox', '--test-type'] : []),
  ]
  const env = browserEnv(world)
  return new Promise((resolve, reject) => {
    // A session of its own: it outlives a Ctrl+C in the terminal, and closes when the person closes it.
    const child = spawn(program, args, { detached: true, stdio: 'ignore', env })
    const started = setTimeout(resolve, FAILS_WITHIN_MS)
    started.unref()
    child.once('error', cause => {
      clearTimeout(started)
      reject(new Error(`${program} could not be started: ${cause.message}.`))
    })
    child.once('exit', code => {
      clearTimeout(started)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
      if (code) reject(new Error(`${program} ended at once with code ${code}.`))
      else resolve()
    })
    child.unref()
  })
}
