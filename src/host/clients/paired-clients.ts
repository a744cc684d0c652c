import { type Disposable, Disposables } from '../../base/disposable.ts'
import { Watchers } from '../../base/watchers.ts'
import { TermError } from '../../contract/tool/errors.ts'
import type { PairedClient } from '../../contract/window/window-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import { LOCAL } from '../names.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import type { ScopedRules } from '../questions/scoped-rules.ts'
import type { InteractiveLane } from '../runs/interactive-lane.ts'
import type { Pairings } from './pairings.ts'
import type { ClientSessions } from './sessions.ts'

export interface PairedDeps {
  readonly pairings: Pick<Pairings, 'list' | 'key' | 'remove' | 'forgetRemoved'>
  readonly sessions: Pick<ClientSessions, 'of' | 'clients' | 'cutOff' | 'watch'>
  readonly lane: Pick<InteractiveLane, 'countOf' | 'watch'>
  readonly queue: Pick<ApprovalQueue, 'pending' | 'listen'>
  readonly scoped: Pick<ScopedRules, 'forgetAllOf'>
  readonly journal: Pick<Journal, 'append'>
}

/**
 * Who is paired by name, for the person to see, and the way to show one of them the door. Whoever takes the key away, here or
 * with `pair --revoke`: connections end, questions are withdrawn, an approval that still held is over. What runs goes on.
 */
export class PairedClients {
  readonly #deps: PairedDeps
  readonly #watchers = new Watchers()
  #keys: ReadonlyMap<string, Buffer>

  constructor(deps: PairedDeps) {
    this.#deps = deps
    this.#keys = this.#keysNow()
  }

  list(): PairedClient[] {
    const { pairings, sessions, lane, queue } = this.#deps
    return pairings.list().map(({ name, since }) => {
      const asked = queue.pending.filter(({ requester }) => requester === name)
      const commands = asked.filter(({ kind }) => kind === 'command').length
      const { connections, since: connectedSince } = sessions.of(name)
      return {
        name,
        paired_at: new Date(since).toISOString(),
        connections,
        connected_at: connectedSince === null ? null : new Date(connectedSince).toISOString(),
        running: Math.max(0, lane.countOf(name) - commands),
        pending: asked.length,
      }
    })
  }

  /** `by`: the person who does it. Written down before it counts. */
  cutOff(name: string, by: string): void {
    const { pairings, journal } = this.#deps
    if (pairings.key(name) === null) throw new TermError('PM_TERM_NOT_FOUND', `Nobody is paired as "${name}".`)
    journal.append({ kind: 'pairing_changed', requester: null, runId: null, body: { revoked: name, by } })
    pairings.remove(name)
    this.look()
  }

  /** Keys may come and go without us: `pair --revoke` removes the file, and so may a person. */
  look(): void {
    this.#deps.pairings.forgetRemoved()
    const before = this.#keys
    this.#keys = this.#keysNow()
    const changed = [...before]
      .filter(([name, key]) => this.#keys.get(name)?.equals(key) !== true)
      .map(([name]) => name)
    // Paired and revoked between two looks: connected all the same.
    const strangers = this.#deps.sessions
      .clients()
      .map(({ requester }) => requester)
      .filter(requester => requester !== LOCAL && !this.#keys.has(requester))
    const gone = new Set([...changed, ...strangers])
    for (const name of gone) {
      this.#deps.sessions.cutOff(name)
      this.#deps.scoped.forgetAllOf(name)
    }
    if (gone.size > 0 || this.#keys.size !== before.size) this.#watchers.notify()
  }

  watch(watcher: () => void): Disposable {
    const { sessions, lane, queue } = this.#deps
    const life = new Disposables()
    life.add(this.#watchers.add(watcher))
    life.add(sessions.watch(watcher))
    life.add(lane.watch(watcher))
    life.add(queue.listen({ asked: watcher, answered: watcher, withdrawn: watcher, turnedAway: watcher }))
    return life
  }

  #keysNow(): ReadonlyMap<string, Buffer> {
    const { pairings } = this.#deps
    return new Map(
      pairings.list().flatMap(({ name }) => {
        const key = pairings.key(name)
        return key === null ? [] : [[name, key] as const]
      }),
    )
  }
}
