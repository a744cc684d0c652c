import type { Clock } from './clock.ts'
import { type Disposable, Disposables, onAbort } from './disposable.ts'

/** True as soon as it holds, looked at now and with each change; false when that took too long or was given up. */
export function until(
  holds: () => boolean,
  changing: { watch(watcher: () => void): Disposable },
  limits: { readonly signal?: AbortSignal; readonly late?: { readonly clock: Clock; readonly ms: number } },
): Promise<boolean> {
  return new Promise(resolve => {
    const life = new Disposables()
    const done = (held: boolean) => {
      life.dispose()
      resolve(held)
    }
    const look = () => void (holds() && done(true))
    life.add(changing.watch(look))
    if (limits.late) life.add(limits.late.clock.after(limits.late.ms, () => done(false)))
    look()
    // Last, because it may be over already: then everything above ends with it.
    if (limits.signal) life.add(onAbort(limits.signal, () => done(false)))
  })
}
