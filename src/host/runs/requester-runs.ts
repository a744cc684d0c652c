import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { TreeKillerDeps } from '../../base/process/kill-tree.ts'
import type { FoundPty } from '../../base/process/pty.ts'
import type { StartedLine } from '../../contract/disk/run-record.ts'
import type { Run } from '../../runs/run/run.ts'
import { RunRegistry } from '../../runs/run/run-registry.ts'
import type { RunState } from '../../runs/run/run-state.ts'
import type { StoredRun } from '../../runs/store/ledger.ts'
import { RunStore } from '../../runs/store/run-store.ts'
import { LOCAL } from '../names.ts'

export interface RunsDeps {
  readonly stateDir: string
  readonly hostId: string
  readonly clock: Clock
  readonly log: Log
  readonly killer: TreeKillerDeps
  readonly host: { readonly pid: number; readonly start: string | null; readonly version: string }
  readonly quotaBytes: number
  readonly totalBytes: number
  readonly retentionDays: number
  readonly graceMs: number
  /** How a run that an earlier host left stands, when it is not one that lives on. */
  readonly fateOf: (requester: string, run: StoredRun) => RunState | null
  /** Called for each run an earlier host left, once it is settled. */
  readonly onSettled: (requester: string, run: StoredRun) => void
}

export interface RunsOfOne {
  readonly registry: RunRegistry
  readonly store: RunStore
}

export interface Taken {
  readonly pty: FoundPty
  readonly stored: StoredRun | null
  readonly run: Run | null
}

const OVER_BUDGET_SHARE = 1 / 8

/**
 * The runs of each requester, apart: an id is looked up only among one's own, so nobody can read, kill or guess another's.
 * The person's own MCP servers are one requester and share the directory with their headless runs.
 */
export class RequesterRuns {
  readonly #deps: RunsDeps
  readonly #all = new Map<string, RunsOfOne>()
  /** Called when the output of another run is kept. */
  onKept: () => void = () => {}

  constructor(deps: RunsDeps) {
    this.#deps = deps
  }

  of(requester: string): RunsOfOne {
    const known = this.#all.get(requester)
    if (known) return known
    const made = this.#open(requester)
    this.#settle(requester, made)
    return made
  }

  /** Of everybody who has ever run something here. */
  everybody(): readonly (RunsOfOne & { readonly requester: string })[] {
    return [LOCAL, ...clientsIn(this.#deps.stateDir)].map(requester => ({ requester, ...this.of(requester) }))
  }

  /** Runs of earlier hosts that live on; the rest of what those left is settled. `run`: null when its end is written. */
  takeOver(found: readonly FoundPty[], startedAs: (stored: StoredRun, pty: FoundPty) => StartedLine): readonly Taken[] {
    const taken = found.map(pty => {
      const { registry, store } = this.#all.get(pty.requester) ?? this.#open(pty.requester)
      const stored = store.find(pty.runId)
      if (!stored || stored.ended) return { pty, stored, run: null }
      if (stored.started) return { pty, stored, run: registry.takeOver(stored) }
      const started = startedAs(stored, pty)
      const run = registry.takeOver({ ...stored, started })
      store.appendAfter(started)
      return { pty, stored, run }
    })
    for (const requester of [LOCAL, ...clientsIn(this.#deps.stateDir)])
      this.#settle(requester, this.#all.get(requester) ?? this.#open(requester))
    return taken
  }

  #settle(requester: string, { registry }: RunsOfOne): void {
    for (const run of registry.reconcile()) this.#deps.onSettled(requester, run)
  }

  #open(requester: string): RunsOfOne {
    const { stateDir, hostId, clock, log, killer, host, quotaBytes, graceMs } = this.#deps
    const directory = requester === LOCAL ? stateDir : join(stateDir, 'clients', requester)
    const store = new RunStore({
      stateDir: directory,
      serverId: hostId,
      now: clock.now,
      onKept: () => this.onKept(),
    })
    const server = { id: hostId, ...host }
    const registry = new RunRegistry({
      store,
      clock,
      log,
      killer,
      server,
      quotaBytes,
      graceMs,
      lane: 'interactive',
      fateOf: run => this.#deps.fateOf(requester, run),
    })
    const made = { registry, store }
    this.#all.set(requester, made)
    return made
  }

  async evict(): Promise<void> {
    const { totalBytes, retentionDays, log } = this.#deps
    for (const { store } of [...this.#all.values()])
      await store
        .evict({ totalBytes, retentionDays })
        .catch((cause: unknown) => log.warn('old runs could not be let go', { cause }))
  }

  /** So much was printed since the last eviction that the next one should not wait. */
  get overBudget(): boolean {
    return [...this.#all.values()].some(({ store }) => store.keptBytes > this.#deps.totalBytes * OVER_BUDGET_SHARE)
  }

  /** `seen`: every end was written down. The ledgers are closed after it. */
  async endAll(graceMs: number, seen: () => Promise<void>): Promise<void> {
    await Promise.all([...this.#all.values()].map(({ registry }) => registry.endAll(graceMs)))
    await seen()
    for (const { store } of this.#all.values()) store.close()
  }

  /** What lives on although its terminal's owner died or was ended: it carries the mark of its run. */
  async endStrays(graceMs: number): Promise<void> {
    await Promise.all([...this.#all.values()].map(({ registry }) => registry.endStrays(graceMs)))
  }

  endAllAtOnce(): void {
    for (const { registry } of this.#all.values()) registry.endAllAtOnce()
  }
}

/** Clients paired by name that have run something here. */
function clientsIn(stateDir: string): string[] {
  try {
    return readdirSync(join(stateDir, 'clients'))
  } catch {
    return [] // none ever did
  }
}
