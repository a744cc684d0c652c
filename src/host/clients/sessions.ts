import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import { Watchers } from '../../base/watchers.ts'
import type { Asker } from '../../contract/wire/asker.ts'
import { askerInWords } from '../../contract/wire/asker-words.ts'

/** How long a question outlives the last connection of who asked it (docs/spec.md D21). */
const RECONNECT_MS = 15_000

/** Who it says it is; grants nothing. */
export interface ConnectedClient {
  readonly name: string
  readonly requester: string
}

interface ClientSession {
  /** By which the person names it; the session's own id is its owner's. */
  readonly agentId: string
  /** Each with the way to end it. */
  readonly connections: Set<(why: string) => void>
  who: ConnectedClient | null
  since: number | null
  /** Each with the client behind the session that asked, where that is known. */
  readonly withdrawals: Map<() => void, string | null>
  /** The clients behind it, by their own word: of one server there may be several (docs/spec.md D28). */
  readonly askers: Map<string, { readonly name: string; open: number }>
  leaving: Disposable | null
}

/** Questions belong to an MCP server's session, not to its socket: it may lose one and come back. */
export class ClientSessions {
  readonly #clock: Clock
  readonly #all = new Map<string, ClientSession>()
  readonly #watchers = new Watchers()
  /** Those that the person does not hear any more. */
  readonly #cut = new Set<string>()
  #made = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get connected(): number {
    return [...this.#all.values()].filter(({ connections }) => connections.size > 0).length
  }

  /** Who is connected now, for the person to see. */
  clients(): { name: string; requester: string; connections: number; agent_id: string }[] {
    const there = [...this.#all.values()].filter(({ connections }) => connections.size > 0)
    return there.flatMap(({ agentId, who, connections, askers }) => {
      if (!who) return []
      const names = [...askers.values()].map(({ name }) => name)
      return (names.length > 0 ? names : [who.name]).map(name => ({
        ...who,
        name,
        connections: connections.size,
        agent_id: agentId,
      }))
    })
  }

  /** How many connections one requester has, and since when. */
  of(requester: string): { readonly connections: number; readonly since: number | null } {
    const own = [...this.#all.values()].filter(
      ({ who, connections }) => who?.requester === requester && connections.size > 0,
    )
    const connections = own.reduce((sum, each) => sum + each.connections.size, 0)
    return {
      connections,
      since: own.length === 0 ? null : Math.min(...own.map(({ since }) => since ?? this.#clock.now())),
    }
  }

  /** For good: its questions go with its connections. */
  cutOff(requester: string): void {
    for (const [id, { who, connections }] of [...this.#all]) {
      if (who?.requester !== requester) continue
      for (const cut of [...connections]) cut('the key was revoked')
      this.end(id)
    }
  }

  /** One agent, with its questions, until it is started anew. False: there is none by that name. */
  cutOffAgent(agentId: string): boolean {
    const [id, session] = [...this.#all].find(([, each]) => each.agentId === agentId) ?? []
    if (id === undefined || !session) return false
    this.#cut.add(id)
    for (const cut of [...session.connections]) cut('the person cut it off')
    this.end(id)
    return true
  }

  /** The person has cut it off: it is not admitted again under this session. */
  isCutOff(id: string): boolean {
    return this.#cut.has(id)
  }

  watch(watcher: () => void): Disposable {
    return this.#watchers.add(watcher)
  }

  /** `cut` ends the connection. Disposed when it has ended. */
  arrive(id: string, who: ConnectedClient, cut: (why: string) => void): Disposable {
    const session = this.#session(id)
    if (session.connections.size === 0) session.since = this.#clock.now()
    session.connections.add(cut)
    session.who = who
    this.#watchers.notify()
    session.leaving?.dispose()
    session.leaving = null
    return { dispose: () => this.#leave(id, session, cut) }
  }

  #leave(id: string, session: ClientSession, cut: (why: string) => void): void {
    if (!session.connections.delete(cut)) return
    this.#watchers.notify()
    if (session.connections.size === 0) session.leaving = this.#clock.after(RECONNECT_MS, () => this.end(id))
  }

  /** One of its clients asks something, until disposed. One without a session of its own is there only as long as it asks. */
  asks(id: string, asker: Asker): Disposable {
    const { askers } = this.#session(id)
    const name = askerInWords(asker)
    const key = asker.session ?? `\0${name}`
    const known = askers.get(key)
    const entry = known?.name === name ? known : { name, open: 0 }
    askers.set(key, entry)
    entry.open += 1
    if (entry !== known) this.#watchers.notify()
    return {
      dispose: () => {
        entry.open -= 1
        if (asker.session !== null || entry.open > 0) return
        askers.delete(key)
        this.#watchers.notify()
      },
    }
  }

  /** It said goodbye, or did not come back: whatever it asked is withdrawn. */
  end(id: string): void {
    const session = this.#all.get(id)
    if (!session) return
    session.leaving?.dispose()
    for (const withdraw of [...session.withdrawals.keys()]) withdraw()
    if (session.connections.size === 0) this.#all.delete(id)
  }

  /** One of its clients is gone: what that one asked is withdrawn. */
  askerGone(id: string, asker: string): void {
    const session = this.#all.get(id)
    if (!session) return
    for (const [withdraw, by] of [...session.withdrawals]) if (by === asker) withdraw()
    if (session.askers.delete(asker)) this.#watchers.notify()
  }

  /** While it is open, this question goes with the session, and with the client behind it. */
  owns(
    { session, asker }: { readonly session: string; readonly asker: string | null },
    withdraw: () => void,
  ): Disposable {
    const { withdrawals } = this.#session(session)
    withdrawals.set(withdraw, asker)
    return { dispose: () => void withdrawals.delete(withdraw) }
  }

  #session(id: string): ClientSession {
    const known = this.#all.get(id)
    if (known) return known
    this.#made += 1
    const session: ClientSession = {
      agentId: `agent_${this.#made}`,
      connections: new Set(),
      who: null,
      since: null,
      withdrawals: new Map(),
      askers: new Map(),
      leaving: null,
    }
    this.#all.set(id, session)
    return session
  }
}
