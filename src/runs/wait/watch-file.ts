import { realpathSync, statSync, watch } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { invalidPayload } from '../../contract/tool/issues.ts'
import { startedAt } from '../run/run-state.ts'
import type { RunView } from '../run/run-view.ts'
import type { Finder } from './wait.ts'

/** Where a directory cannot be watched, or is made only later. */
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
  const again = () => {
    look()
    life.add(found.clock.after(LOOK_EVERY_MS, again))
  }

  if (!isInside(cwd, path)) {
    found.failed(invalidPayload([{ field: 'wait.file', problem: `must be inside ${cwd}` }]))
    return life
  }
  life.add(found.clock.after(LOOK_EVERY_MS, again))
  watchQuietly(dirname(path), look, life)
  // After this turn: whoever waits has to own what is made here before it is over.
  queueMicrotask(look)
  return life
}

/** Files are dated by a clock that ticks a few hundred times a second. */
const CLOCK_STEP_MS = 10

function watchQuietly(directory: string, look: () => void, life: Disposables): void {
  try {
    const watcher = watch(directory, { persistent: false }, look)
    watcher.on('error', () => watcher.close()) // looking now and then goes on
    life.defer(() => watcher.close())
  } catch {
    // It does not exist yet, or the system has no more watchers: looking now and then is enough.
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
