import { existsSync, type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { invalidPayload } from '../../contract/tool/issues.ts'
import { startedAt } from '../run/run-state.ts'
import type { RunView } from '../run/run-view.ts'
import type { Finder } from './finder.ts'

/** Where nothing can be watched. */
const LOOK_EVERY_MS = 500

/** Waits for a file in the directory of the run that was written since the run began: one that was left from before is none. */
export function watchFile(view: RunView, file: string, found: Finder): Disposable {
  const life = new Disposables()
  const status = view.status()
  const cwd = status.cwd ?? view.opened.cwd
  const path = resolve(cwd, file)
  const began = startedAt(status.state) ?? view.opened.at

  const isThere = (): boolean => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() === true && stat.ctimeMs >= began - CLOCK_STEP_MS && isInside(realOf(cwd), realOf(path))
  }
  const look = () => {
    if (isThere()) found.here()
  }

  if (!isInside(cwd, path)) {
    found.failed(invalidPayload([{ field: 'wait.file', problem: `must be inside ${cwd}` }]))
    return life
  }
  const watching = life.add(new NearestDirectory(dirname(path), look))
  let timer: Disposable = { dispose() {} }
  const again = () => {
    watching.follow()
    look()
    timer = found.clock.after(LOOK_EVERY_MS, again)
  }
  timer = found.clock.after(LOOK_EVERY_MS, again)
  life.defer(() => timer.dispose())
  // After this turn: whoever waits has to own what is made here before it is over.
  queueMicrotask(look)
  return life
}

/** Files are dated by a clock that ticks a few hundred times a second. */
const CLOCK_STEP_MS = 10

/** Watches a directory, or, until it is made, the nearest one above it. */
class NearestDirectory implements Disposable {
  readonly #wanted: string
  readonly #onChange: () => void
  #watched = ''
  #watcher: FSWatcher | null = null
  #over = false

  constructor(wanted: string, onChange: () => void) {
    this.#wanted = wanted
    this.#onChange = onChange
    this.follow()
  }

  /** One that was made meanwhile is watched instead. */
  follow(): void {
    // It may be made, or go, while it is looked for: the next look finds that.
    for (let nearest = this.#nearest(); !this.#over && nearest !== this.#watched; nearest = this.#nearest())
      this.#watch(nearest)
  }

  dispose(): void {
    this.#over = true
    this.#watcher?.close()
  }

  #nearest(): string {
    let directory = this.#wanted
    while (!existsSync(directory) && dirname(directory) !== directory) directory = dirname(directory)
    return directory
  }

  #watch(directory: string): void {
    this.#watcher?.close()
    this.#watcher = null
    this.#watched = directory
    try {
      const watcher = watch(directory, { persistent: false }, () => {
        this.follow()
        this.#onChange()
      })
      watcher.on('error', () => watcher.close()) // looking now and then goes on
      this.#watcher = watcher
    } catch {
      // It is gone again, or the system has no more watchers: looking now and then is enough.
    }
  }
}

const isInside = (directory: string, path: string): boolean =>
  path.startsWith(directory.endsWith(sep) ? directory : directory + sep)

function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return '' // gone again
  }
}
