import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { toType } from '../../base/own-command.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { NO_SCREEN } from '../approvers/shown.ts'
import type { Browser, StartedBrowser } from '../window/opener.ts'
import { findBrowser } from './find-browser.ts'
import type { FoundScreen } from './find-screen.ts'

export interface BrowserWorld {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly uid: number | undefined
  /** What the person wants instead of what is found; '' is what is found. */
  readonly chosen: string
  /** Where the person's desktop is, when this process was started without one; null: nobody looks for it. */
  readonly findScreen: (() => Promise<FoundScreen>) | null
}

/** Ours to keep; and what would let somebody else's code into a browser that answers for the person. */
const NOT_FOR_A_BROWSER = /^(PM_|INTERACTIVE_TERMINAL|NODE_|LD_|DYLD_|CHROME_|GTK_MODULES$)/
const FAILS_WITHIN_MS = 1500

/**
 * Opens a page as a window of its own in a browser of the Chromium family, with a profile made for this window: nothing that
 * was left in another one (an extension, a worker for this address) can be in it. Else in the person's default browser.
 */
export function openBrowser(world: BrowserWorld): Browser {
  return async ({ url, plainUrl, directory, screen, started, notOurs }) => {
    const env = { ...world.env, ...(screen ?? (await screenOf(world))) }
    const program = world.chosen === '' ? findBrowser(world.platform, env) : world.chosen
    if (program !== null) await openApp(program, url, { ...world, env, directory, started })
    else {
      notOurs()
      await openDefault(plainUrl, { ...world, env })
    }
  }
}

/** Opens an address in the person's own browser, beside what else they have open there. */
export function openInOwnBrowser(world: BrowserWorld): (url: string) => Promise<void> {
  return async url => {
    const env = { ...world.env, ...(await screenOf(world)) }
    const { platform } = world
    if (platform === 'linux' && !(env.PATH ?? '').split(delimiter).some(each => existsSync(join(each, 'xdg-open'))))
      throw new TermError('PM_TERM_GUI_UNAVAILABLE', 'xdg-open is not on this machine: copy the address.')
    await openDefault(url, { ...world, env })
  }
}

/** What has to be in the environment of a program that shows something, beyond what is there. */
async function screenOf({ platform, env, findScreen }: BrowserWorld): Promise<Readonly<Record<string, string>>> {
  if (platform === 'win32' || platform === 'darwin' || env.DISPLAY || env.WAYLAND_DISPLAY) return {}
  const found = await findScreen?.()
  if (found && 'env' in found) return found.env
  const why = found?.problem ?? 'neither DISPLAY nor WAYLAND_DISPLAY is set'
  throw new TermError(
    'PM_TERM_GUI_UNAVAILABLE',
    `there is no screen (${why}). To open it: "${toType('open')}" in a terminal of the desktop.`,
    { details: { reason: NO_SCREEN } },
  )
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

/** The mark: a window of ours says nothing about where the person's desktop is. */
const browserEnv = ({ env }: BrowserWorld): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_FOR_A_BROWSER.test(name))),
  INTERACTIVE_TERMINAL_WINDOW: '1',
})

function openApp(
  program: string,
  url: string,
  world: BrowserWorld & { readonly directory: string; readonly started: (browser: StartedBrowser) => void },
): Promise<void> {
  const profile = mkdtempSync(join(world.directory, 'profile-'))
  keepNoHistory(profile)

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
    // Who wants sound hears the question that opened the window, before any click in it.
    '--autoplay-policy=no-user-gesture-required',
    // Chromium refuses to start for root otherwise; all it is shown is our own page.
    ...(world.uid === 0 ? ['--no-sandbox', '--test-type'] : []),
  ]

  const env = browserEnv(world)
  return new Promise((resolve, reject) => {
    // A session of its own: Ctrl+C in the terminal does not reach it before the host has ended in order.
    const child = spawn(program, args, { detached: true, stdio: 'ignore', env })
    world.started({
      pid: child.pid,
      end: () => endBrowser(child, world.platform),
      onEnd: listener => void child.once('exit', listener),
    })

    const lasts = setTimeout(resolve, FAILS_WITHIN_MS)
    lasts.unref()
    child.once('error', cause => {
      clearTimeout(lasts)
      reject(new Error(`${program} could not be started: ${cause.message}.`))
    })
    child.once('exit', code => {
      clearTimeout(lasts)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
      if (code) reject(new Error(`${program} ended at once with code ${code}.`))
      else resolve()
    })
    child.unref()
  })
}

/** The address it is sent to first has the ticket in it: it is written nowhere (History, Favicons, ukm_db). */
function keepNoHistory(profile: string): void {
  mkdirSync(join(profile, 'Default'), { mode: 0o700 })
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify({ history: { saving_disabled: true } }))
}

/** Asks this one process to close, and with it everything it started for itself. */
function endBrowser(child: ChildProcess, platform: NodeJS.Platform): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGTERM')
  } catch {
    // It closed between the look and the signal.
  }
}
