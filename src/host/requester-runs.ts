import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { TreeKillerDeps } from '../base/kill-tree.ts'
import type { Log } from '../base/log.ts'
import { RunRegistry } from '../runs/run-registry.ts'
import { RunStore } from '../runs/run-store.ts'

export interface RunsDeps {
  readonly stateDir: string
  readonly hostId: string
  readonly clock: Clock
  readonly log: Log
  readonly killer: TreeKillerDeps
  readonly host: { readonly pid: number; readonly start: string | null }
  readonly quotaBytes: number
  readonly totalBytes: number
  readonly retentionDays: number
  readonly graceMs: number
}

export interface RunsOfOne {
  readonly registry: RunRegistry
  readonly store: RunStore
}

export const LOCAL = 'local'

/** The person, who opens shells of their own: no agent may read those. */
export const PERSON = 'person'

/**
 * The runs of each requester, apart: an id is looked up only among one's own, so nobody can read, kill or guess another's.
 * The person's own MCP servers are one requester and share the directory with their headless runs.
 */
export class RequesterRuns {
  readonly #deps: RunsDeps
  readonly #all = new Map<string, RunsOfOne>()

  constructor(deps: RunsDeps) {
    this.#deps = deps
  }

  of(requester: string): RunsOfOne {
    const known = this.#all.get(requester)
    if (known) return known
    const { stateDir, hostId, clock, log, killer, host, quotaBytes, graceMs } = this.#deps
    const directory = requester === LOCAL ? stateDir : join(stateDir, 'clients', requester)
    const store = new RunStore({ stateDir: directory, serverId: hostId, now: clock.now })
    const server = { id: hostId, ...host }
    const registry = new RunRegistry({ store, clock, log, killer, server, quotaBytes, graceMs })
    registry.reconcile()
    const made = { registry, store }
    this.#all.set(requester, made)
    return made
  }

  evict(): void {
    const { totalBytes, retentionDays } = this.#deps
    for (const { store } of this.#all.values()) store.evict({ totalBytes, retentionDays })
  }

  async endAll(graceMs: number): Promise<void> {
    await Promise.all([...this.#all.values()].map(({ registry }) => registry.endAll(graceMs)))
    for (const { store } of this.#all.values()) store.close()
  }

  endAllAtOnce(): void {
    for (const { registry } of this.#all.values()) registry.endAllAtOnce()
  }
}
