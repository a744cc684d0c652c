import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Log } from '../base/log.ts'
import type { Settings } from '../config/env.ts'
import type { WindowParts } from '../host/open-approvers.ts'
import { readWebFiles, type WebList } from '../host/web-files.ts'
import { windowEntries } from './client-entries.ts'
import { openBrowser } from './open-browser.ts'

/** Made by the build: each file of the window with its hash. */
declare const __WEB_FILES__: string

/** What this machine has for a window; null when the person wants none or its files are not what was built. */
export function windowParts(
  settings: Pick<Settings, 'PM_TERM_WINDOW' | 'PM_TERM_BROWSER'>,
  log: Log,
): WindowParts | null {
  if (settings.PM_TERM_WINDOW === 'never') return null
  const executable = realpathSync(process.argv[1] ?? process.execPath)
  try {
    return {
      files: readWebFiles(join(dirname(executable), 'web'), JSON.parse(__WEB_FILES__) as WebList),
      browser: openBrowser({
        platform: process.platform,
        env: process.env,
        uid: process.getuid?.(),
        chosen: settings.PM_TERM_BROWSER,
      }),
      entries: windowEntries(executable),
    }
  } catch (cause) {
    log.error('there is no window', { cause })
    return null
  }
}
