import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Log } from '../base/log.ts'
import { windowEntries } from '../cli/commands/client-entries.ts'
import { agreedProgram, type Configuration } from '../config/settings.ts'
import type { WindowParts } from '../host/open-approvers.ts'
import { findScreen } from '../host/screen/find-screen.ts'
import { type BrowserWorld, openBrowser, openInOwnBrowser } from '../host/screen/open-browser.ts'
import { screenFacts } from '../host/screen/screen-facts.ts'
import { readWebFiles, type WebList } from '../host/window/files.ts'

/** Made by the build: each file of the window with its hash. */
declare const __WEB_FILES__: string

/** What this machine has for a window; null when the person wants none or its files are not what was built. */
export function windowParts(
  configuration: Configuration,
  log: Log,
  { launched, agreed }: { readonly launched: boolean; readonly agreed: (program: string) => string | null },
): WindowParts | null {
  if (configuration.settings.PM_TERM_WINDOW === 'never') return null
  const { platform } = process
  const uid = process.getuid?.()
  const executable = realpathSync(process.argv[1] ?? process.execPath)

  const world: BrowserWorld = {
    platform,
    env: process.env,
    uid,
    // Looked up with each window: what a person agrees to counts from then on.
    get chosen() {
      return agreedProgram(configuration, 'PM_TERM_BROWSER', agreed)
    },
    // Who starts it by hand, over ssh perhaps, is not at that desktop.
    findScreen:
      launched && platform === 'linux' && uid !== undefined ? async () => findScreen(await screenFacts(uid)) : null,
  }

  try {
    return {
      files: readWebFiles(join(dirname(executable), 'web'), JSON.parse(__WEB_FILES__) as WebList),
      browser: openBrowser(world),
      openLink: openInOwnBrowser(world),
      entries: windowEntries(executable),
    }
  } catch (cause) {
    log.error('there is no window', { cause })
    return null
  }
}
