import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'

/** How long a question outlives the last connection of who asked it (SPEC D21). */
const RECONNECT_MS = 15_000

interface Session {
  connections: number
  readonly withdrawals: Set<() => void>
  leaving: Disposable | null
}

/** Questions belong to an MCP server's session, not to its socket: it may lose one and come back. */
export class ClientSessions {
  readonly #clock: Clock
  readonly #all = new Map<string, Session>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get connected(): number {
    return [...this.#all.values()].filter(({ connections }) => connections > 0).length
  }

  arrive(id: string): void {
    const session = this.#session(id)
    session.connections += 1
    session.leaving?.dispose()
    session.leaving = null
  }

  leave(id: string): void {
    const session = this.#session(id)
    session.connections -= 1
    if (session.connections === 0) session.leaving = this.#clock.after(RECONNECT_MS, () => this.end(id))
  }

  /** It said goodbye, or did not come back: whatever it asked is withdrawn. */
  end(id: string): void {
    const session = this.#all.get(id)
    if (!session) return
    session.leaving?.dispose()
    for (const withdraw of [...session.withdrawals]) withdraw()
    if (session.connections <= 0) this.#all.delete(id)
  }

  /** While it is asked, this question goes with its session. */
  owns(id: string, withdraw: () => void): Disposable {
    const { withdrawals } = this.#session(id)
    withdrawals.add(withdraw)
    return { dispose: () => void withdrawals.delete(withdraw) }
  }

  #session(id: string): Session {
    const session = this.#all.get(id) ?? { connections: 0, withdrawals: new Set(), leaving: null }
    this.#all.set(id, session)
    return session
  }
}
