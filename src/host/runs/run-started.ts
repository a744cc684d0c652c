import { Disposables, onAbort } from '../../base/disposable.ts'
import type { RunView } from '../../runs/run/run-view.ts'

/** It runs, or never will. */
export function started(view: RunView, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const life = new Disposables()
    const look = () => {
      const { state } = view.status()
      if (!signal.aborted && (state.at === 'received' || state.at === 'awaiting_approval')) return
      life.dispose()
      resolve()
    }
    life.add(view.watch(look))
    life.add(onAbort(signal, look))
    look()
  })
}
