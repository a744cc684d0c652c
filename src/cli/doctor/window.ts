import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { toType } from '../../base/own-command.ts'
import type { Settings } from '../../config/env.ts'
import type { StatusAnswered } from '../../contract/wire/host-status.ts'
import { findBrowser } from '../../host/screen/find-browser.ts'
import { type FoundScreen, findScreen } from '../../host/screen/find-screen.ts'
import { screenFacts } from '../../host/screen/screen-facts.ts'
import { type CheckFound, Fault } from './check.ts'

/** What this machine has to show a window; passed in, so that a test can have any machine. */
export interface WindowWorld {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly screen: () => Promise<FoundScreen>
  readonly browser: () => string | null
  readonly isProgram: (path: string) => boolean
}

/** Who can be asked: in a window that is open, in one that could open, or in a terminal. */
export async function windowCheck(
  settings: Pick<Settings, 'PM_TERM_WINDOW' | 'PM_TERM_BROWSER'>,
  status: StatusAnswered | null,
  world: WindowWorld = thisDesktop(),
): Promise<CheckFound> {
  const terminals = status === null ? 0 : status.approvers.length - status.windows
  if (status !== null && status.windows > 0) return `${status.windows} open`
  const answersIn = terminals > 0 ? `, and ${terminals} terminal${terminals === 1 ? '' : 's'} can answer` : ''
  const orElse = `Answer in a terminal: "${toType('approve')}".`
  const unseen = (detail: string, note: string): CheckFound =>
    terminals > 0 ? `${detail}${answersIn}` : { detail, note: `${note} ${orElse}` }

  // What the person chose first, then what the machine has.
  if (settings.PM_TERM_WINDOW === 'never') return unseen('none by PM_TERM_WINDOW', 'Questions come to no window.')
  const chosen = settings.PM_TERM_BROWSER
  if (chosen !== '' && !world.isProgram(chosen))
    throw new Fault(
      `PM_TERM_BROWSER names ${chosen}, which is no program that can be started`,
      'Set it to the absolute path of a browser, or remove it: then one of the Chromium family is looked for.',
    )
  const screen = await screenHere(world)
  if ('problem' in screen)
    return unseen(
      `there is no screen: ${screen.problem}`,
      `Show it from a terminal of your desktop: "${toType('open')}".`,
    )
  const browser = chosen !== '' ? chosen : world.browser()
  if (browser !== null) return `opens with ${browser}${answersIn}`
  if (world.platform !== 'linux' || hasXdgOpen(world)) return `opens in your default browser${answersIn}`
  return unseen('there is no browser', 'Install one of the Chromium family, or xdg-utils with any other.')
}

async function screenHere({ platform, env, screen }: WindowWorld): Promise<FoundScreen> {
  if (platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY) return { env: {} }
  return screen()
}

const hasXdgOpen = ({ env, isProgram }: WindowWorld): boolean =>
  (env.PATH ?? '').split(delimiter).some(directory => isProgram(join(directory, 'xdg-open')))

function thisDesktop(): WindowWorld {
  const uid = process.getuid?.()
  return {
    platform: process.platform,
    env: process.env,
    screen: async () =>
      uid === undefined
        ? { problem: 'this system has no user ids', candidates: [] }
        : findScreen(await screenFacts(uid)),
    browser: () => findBrowser(process.platform, process.env),
    isProgram,
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return existsSync(path)
  } catch {
    return false // not there, or not to be started
  }
}
