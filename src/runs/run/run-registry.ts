import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import {
  killAtOnce,
  killTree,
  markedTree,
  membersOf,
  type Tree,
  type TreeKillerDeps,
} from '../../base/process/kill-tree.ts'
import type { OpenedLine, StartedLine } from '../../contract/disk/run-record.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { segmentEnd } from '../output/output-text.ts'
import type { Ledger, StoredRun } from '../store/ledger.ts'
import type { RunStore } from '../store/run-store.ts'
import { endedLine } from './ended-line.ts'
import { noteKill } from './left-end.ts'
import { Run } from './run.ts'
import { openedLine, type RunRequest, requestOf } from './run-request.ts'
import type { RunState } from './run-state.ts'
import { approvalIn, statusOf } from './run-status.ts'
import { openedOf, type RunView, viewOfOwn, viewOfStored } from './run-view.ts'

export interface RegistryDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly log: Log
  readonly killer: TreeKillerDeps
  readonly server: OpenedLine['server']
  /** Whose runs this server looks after when others have died: only a host can ask pty-host what lives. */
  readonly lane: OpenedLine['lane']
  /** The state of a run that nobody saw end; without it, lost. */
  readonly fateOf?: (run: StoredRun) => RunState | null
  readonly quotaBytes: number
  readonly graceMs: number
}

/** Is in the environment of everything a run starts. */
export const RUN_VARIABLE = 'INTERACTIVE_TERMINAL_RUN'

/** Knows every run: its own by heart, those of other and earlier servers from disk. */
export class RunRegistry {
  readonly #deps: RegistryDeps
  readonly #own = new Map<string, Run>()
  /** Runs of ours whose end nobody saw, and of which something lived on. */
  readonly #lostHere = new Set<string>()

  constructor(deps: RegistryDeps) {
    this.#deps = deps
  }

  /** The environment entries that everything of a run carries. */
  marksOf(runId: string): { readonly run: string; readonly server: string } {
    return { run: `${RUN_VARIABLE}=${runId}`, server: `INTERACTIVE_TERMINAL_SERVER=${this.#deps.server.id}` }
  }

  /**
   * Opens a run under its id, or finds the one that has it: the same id with the same payload is the same run, and
   * with another payload a mistake of the caller.
   */
  open(request: RunRequest): { readonly run: Run } | { readonly existing: RunView } {
    const directory = this.#create(request)
    if (directory !== null) {
      const run = new Run(this.#deps, request, directory)
      this.#own.set(request.id, run)
      return { run }
    }
    const existing = this.#existingOwner(request.id)
    if (existing) return { existing }
    throw new TermError(
      'PM_TERM_INTERNAL',
      `The id ${request.id} is taken, but its run is not there any more. Use another.`,
    )
  }

  /** A run that an earlier server opened and that lives on: seen through by this one. */
  takeOver(stored: StoredRun): Run {
    this.#deps.store.take(stored)
    const run = new Run(this.#deps, requestOf(stored), stored.directory, stored)
    this.#own.set(stored.opened.id, run)
    return run
  }

  find(id: string): RunView | null {
    const own = this.#own.get(id)
    if (own) return viewOfOwn(own, this.#deps.server)
    const stored = this.#deps.store.find(id)
    if (!stored) return null
    if (stored.ended !== null || this.#isAlive(stored)) return this.#view(stored)
    // Its server died since we last looked.
    this.reconcile()
    return this.#view(this.#deps.store.find(id) ?? stored)
  }

  /**
   * Before runs of others or of earlier times are looked for: what is new on disk is read, with turns for others in between. null:
   * the run is known, nothing has to be read.
   */
  ready(id?: string): Promise<void> | null {
    return id !== undefined && (this.#own.has(id) || this.#deps.store.remembers(id)) ? null : this.#deps.store.catchUp()
  }

  own(id: string): Run | null {
    return this.#own.get(id) ?? null
  }

  /** All that run anywhere, and the newest of those that are over. */
  list(mostOver: number): { views: RunView[]; more: number } {
    this.reconcile()
    const own = [...this.#own.values()].map(run => viewOfOwn(run, this.#deps.server))
    const open = this.#deps.store
      .unclosedByOthers()
      .flatMap(ledger => ledger.readOpen().filter(run => !this.#own.has(run.opened.id)))
    const { runs, more } = this.#deps.store.recent(mostOver)
    const others = [...open, ...runs.filter(run => !this.#own.has(run.opened.id))]
    return { views: [...own, ...others.map(run => this.#view(run))], more }
  }

  /** The last byte is written: from now on the disk answers for it. */
  release(run: Run): void {
    run.log.close()
    if (run.state.at === 'lost' && run.state.survivors.length > 0) this.#lostHere.add(run.request.id)
    this.#deps.store.archive(openedOf(run, this.#deps.server), run.line(), run.directory)
    this.#own.delete(run.request.id)
    run.terminal?.forget()
  }

  /** Ends a run's whole tree, whoever started it, also what it left in the background. Resolves with who is still there. */
  async killStored(id: string): Promise<readonly number[]> {
    const stored = this.#deps.store.find(id)
    if (!stored) return []
    if (!stored.ended) noteKill(stored.directory)
    const survivors = await killTree(this.#deps.killer, this.#treeLeftBy(stored), this.#deps.graceMs)
    if (stored.ended) this.#deps.store.amend(stored, { ...stored.ended, survivors: [...survivors] })
    return survivors
  }

  /** Processes of a run that are there, whatever became of the run. */
  processesOf(id: string): readonly number[] {
    const stored = this.#deps.store.find(id)
    return stored ? membersOf(this.#deps.killer.table, this.#treeLeftBy(stored)).map(row => row.pid) : []
  }

  killOwn(run: Run, graceMs = this.#deps.graceMs): Promise<readonly number[]> {
    const { state } = run
    if (state.at !== 'running') return Promise.resolve([])
    // Whoever owns its terminal ends it, also when we die meanwhile.
    if (run.terminal) return run.terminal.kill(graceMs)
    return killTree(this.#deps.killer, this.#treeOf(run, state), graceMs)
  }

  /** Nothing this server started stays behind, background children of finished runs included. */
  async endAll(graceMs: number): Promise<void> {
    const running = [...this.#own.values()].filter(run => run.state.at === 'running')
    await Promise.all(running.map(run => run.stop('server_end', () => this.killOwn(run, graceMs))))
    // What ran in terminals is the owner of those to end, which may be a child of this process itself.
    if (this.#deps.lane === 'headless') await killTree(this.#deps.killer, this.#everything(), graceMs)
  }

  /**
   * What carries the mark of this server, or of a run that it reported as lost, and lives on although whoever owned its terminal
   * is gone.
   */
  async endStrays(graceMs: number): Promise<void> {
    const trees = [this.#everything(), ...[...this.#lostHere].map(id => markedTree(this.marksOf(id).run))]
    await Promise.all(trees.map(tree => killTree(this.#deps.killer, tree, graceMs)))
  }

  /** The last resort of a process that has no time left. */
  endAllAtOnce(): void {
    killAtOnce(this.#deps.killer, this.#everything())
  }

  /**
   * Looks through what servers that are gone have left: runs nobody saw end become `lost`, and what still lives of them
   * is reported. Only ever of servers that are really gone: pid and start time both say so.
   */
  reconcile(): readonly StoredRun[] {
    return this.#deps.store.unclosedByOthers().flatMap(ledger => {
      const first = ledger.first()
      // No line yet: its server is just about to write the first one.
      if (!first || first.opened.lane !== this.#deps.lane || this.#serverLives(first)) return []
      const open = ledger.readOpen()
      const left = open.filter(run => !this.#own.has(run.opened.id))
      try {
        const settled = left.map(run => this.#settle(ledger, run))
        if (open.length > left.length) ledger.release()
        else ledger.close()
        return settled
      } catch (cause) {
        // A full or read-only disk: whoever can write next reports it.
        this.#deps.log.warn('what an earlier server left could not be written down', { cause })
        return []
      }
    })
  }

  #settle(ledger: Ledger, run: StoredRun): StoredRun {
    const { id, command } = run.opened
    const state = this.#deps.fateOf?.(run) ?? this.#lost(run)
    const survivors = 'survivors' in state ? state.survivors : []
    const output = { size: segmentEnd(run.directory), lost: 0 }
    const ended = endedLine(id, statusOf(state, output, survivors.length === 0, approvalIn(run.allowed)))
    ledger.append(ended)
    this.#deps.log.warn('an earlier server left a run', { run: id, command, state: state.at, survivors })
    return { ...run, ended }
  }

  #lost(run: StoredRun): RunState {
    const survivors = membersOf(this.#deps.killer.table, this.#treeLeftBy(run)).map(row => row.pid)
    return { at: 'lost', endedAt: this.#deps.clock.now(), startedAt: run.started?.at ?? null, survivors }
  }

  /** Another server may have taken the id this very moment, its first line still on the way to the disk. */
  #existingOwner(id: string): RunView | null {
    for (let tries = 0; tries < 40; tries++) {
      const view = this.find(id)
      if (view) return view
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
    return null
  }

  #create(request: RunRequest): string | null {
    try {
      return this.#deps.store.open(openedLine(request, this.#deps.server, this.#deps.clock.now()), request.idIs)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new TermError(
        'PM_TERM_INTERNAL',
        `The state directory cannot be written, so nothing was started: ${reason}`,
        {
          cause,
        },
      )
    }
  }

  #view(run: StoredRun): RunView {
    return viewOfStored(
      {
        store: this.#deps.store,
        clock: this.#deps.clock,
        serverId: this.#deps.server.id,
        alive: each => this.#isAlive(each),
      },
      run,
    )
  }

  /** Its server, or the owner of its terminal, which keeps it for the next one. */
  #isAlive(run: StoredRun): boolean {
    return this.#serverLives(run) || (run.started?.pty_host !== undefined && this.#lives(run.started.pty_host))
  }

  #serverLives({ opened }: StoredRun): boolean {
    return this.#lives(opened.server)
  }

  #lives({ pid, start }: { readonly pid: number; readonly start: string | null }): boolean {
    const row = this.#deps.killer.table.row(pid)
    return row !== null && (start === null || row.start === start)
  }

  #treeOf(run: Run, state: { pid: number; pidStart: string | null }): Tree {
    return { pid: state.pid, start: state.pidStart, mark: this.marksOf(run.request.id).run, leads: true }
  }

  /** Killed between starting a child and writing that down, a server leaves only the mark. */
  #treeLeftBy({ opened, started }: StoredRun): Tree {
    return started && started.typed_into === undefined ? treeOf(started) : markedTree(this.marksOf(opened.id).run)
  }

  #everything(): Tree {
    return markedTree(this.marksOf('').server)
  }
}

const treeOf = ({ pid, start, mark }: StartedLine): Tree => ({ pid, start, mark, leads: true })
