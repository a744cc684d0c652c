import { readFileSync, statSync } from 'node:fs'
import { writeAtomically } from '../../base/atomic-file.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { Log } from '../../base/log.ts'
import { Watchers } from '../../base/watchers.ts'
import { type PreferenceChanges, WindowPreferences } from '../../contract/window/window-preferences.ts'

const UNSET = WindowPreferences.parse({ theme: null, sound: false, notifications: null })
const LARGEST_BYTES = 4096

/** How the person likes the window, over the life of windows and hosts. Nothing depends on it but looks and sounds. */
export class PreferencesFile {
  readonly #file: string
  readonly #watchers = new Watchers<[by: unknown]>()
  #now: WindowPreferences

  constructor(file: string, log: Log) {
    this.#file = file
    this.#now = read(file, log)
  }

  get now(): WindowPreferences {
    return this.#now
  }

  /** Counts at once, for every window. Throws when it could not be written: then it is forgotten with this host. */
  change(changes: PreferenceChanges, by: unknown = null): void {
    this.#now = WindowPreferences.parse({ ...this.#now, ...changes })
    this.#watchers.notify(by)
    writeAtomically(this.#file, `${JSON.stringify(this.#now)}\n`)
  }

  /** Called with whoever made the change. */
  watch(watcher: (by: unknown) => void): Disposable {
    return this.#watchers.add(watcher)
  }
}

function read(file: string, log: Log): WindowPreferences {
  try {
    const { size } = statSync(file)
    if (size > LARGEST_BYTES) throw new Error(`it has ${size} bytes`)
    return WindowPreferences.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn('the window’s preferences cannot be read; the usual ones count', { file, cause })
    return UNSET
  }
}
