import { type Disposable, Disposables } from '../../base/disposable.ts'
import { isListenedOn, type Listener, listenerOn } from '../../base/process/listening-ports.ts'
import type { Finder } from './finder.ts'

/** No system says when a port opens, so it is looked for; for no more than this part of the time, however long a look takes. */
const SHARE_OF_TIME = 0.02
const SOONEST_MS = 8
/** A process may be in a network of its own, which only a look at each process shows. */
const WHOLE_LOOK_EVERY_MS = 200

/** What a wait for a port looks at. */
export interface RunProcesses {
  readonly platform: NodeJS.Platform
  /** The processes of the run that are there now. */
  processes(): readonly number[]
}

/** Waits until a process of the run listens on the port. */
export function watchPort(port: number, { platform, processes }: RunProcesses, found: Finder): Disposable {
  const { clock } = found
  const life = new Disposables()
  let timer: Disposable = { dispose() {} }
  let isOver = false
  let wholeAt = Number.NEGATIVE_INFINITY
  life.defer(() => {
    isOver = true
    timer.dispose()
  })

  const look = async () => {
    const began = clock.elapsed()
    if (began - wholeAt >= WHOLE_LOOK_EVERY_MS || isListenedOn(port, platform)) {
      wholeAt = began
      const listener = await listenerOn(port, processes, platform)
      if (isOver) return
      found.note(NOTES[listener](port))
      if (listener === 'these' || listener === 'somebody') return found.here()
    }

    const pause = Math.max(SOONEST_MS, (clock.elapsed() - began) / SHARE_OF_TIME)
    timer = clock.after(Math.min(WHOLE_LOOK_EVERY_MS, pause), start)
  }
  const start = () => void look().catch(found.failed)
  start()
  return life
}

const NOTES: Readonly<Record<Listener, (port: number) => string | undefined>> = {
  these: () => undefined,
  nobody: () => undefined,
  others: port => `Port ${port} is open, but no process of this run listens on it.`,
  somebody: port => `Port ${port} is open; this system does not say whose it is.`,
}
