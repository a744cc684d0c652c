import type { Disposables } from '../../base/disposable.ts'
import { until } from '../../base/until.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { Caller } from './caller.ts'
import type { ClientSessions } from './sessions.ts'

/** Who waits for a run right now, so that a cancel can release them. */
export class RequestWaits {
  readonly #waits = new Map<string, Set<AbortController>>()

  /** A wait that ends with the connection, or when somebody cancels this request. */
  begin(
    caller: Caller,
    requestId: string,
    life: Disposables,
    ends: 'with_link' | 'cancel_only' = 'with_link',
  ): AbortSignal {
    const wait = new AbortController()
    const key = waitKey(caller, requestId)
    const waits = this.#waits.get(key) ?? new Set()
    this.#waits.set(key, waits.add(wait))
    life.defer(() => {
      waits.delete(wait)
      if (waits.size === 0) this.#waits.delete(key)
    })
    return ends === 'with_link' ? AbortSignal.any([wait.signal, caller.signal]) : wait.signal
  }

  cancel(caller: Caller, requestId: string): void {
    for (const wait of this.#waits.get(waitKey(caller, requestId)) ?? []) wait.abort('cancelled')
  }
}

const waitKey = (caller: Caller, requestId: string): string => `${caller.requester}\0${requestId}`

/** The socket is gone and the run is not over: until it is, its question still belongs to the session. */
export function keepOwning(sessions: ClientSessions, caller: Caller, view: RunView, gone: () => void): void {
  if (view.over()) return
  const owned = sessions.owns(caller, gone)
  void until(() => view.over(), view, {}).then(() => owned.dispose())
}
