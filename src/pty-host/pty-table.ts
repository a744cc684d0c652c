import type { Clock } from '../base/clock.ts'
import type { LogBudget } from '../base/output/log-budget.ts'
import { needDescriptors } from '../base/process/free-descriptors.ts'
import { killAtOnce, killTree, markedTree, type TreeKillerDeps } from '../base/process/kill-tree.ts'
import type { PtyCommand, PtyExit } from '../base/process/pty.ts'
import type { CarryPipe, CarryPipes } from './carry-pipes.ts'
import type { StartPty } from './lossless-pty.ts'
import { OwnedPty } from './owned-pty.ts'

export interface PtyTableDeps {
  readonly clock: Clock
  readonly killer: TreeKillerDeps
  readonly pipes: CarryPipes
  readonly start: StartPty
  /** What the logs of all that runs may take together. */
  readonly budget: LogBudget
  readonly onGrown: (pty: OwnedPty) => void
  readonly onEnded: (pty: OwnedPty, exit: PtyExit) => void
  /** So much more of what was typed waits no longer. */
  readonly onTaken?: (pty: OwnedPty, bytes: number) => void
}

const MOST_RUNNING = 256
const MOST_ENDED = 1024
/** For the terminal itself, its log and its pipe, and for looking through processes. */
const SPARE_FILES = 12

/** Every terminal this process owns, and those that ended until somebody has written down how. */
export class PtyTable {
  readonly #deps: PtyTableDeps
  readonly #all = new Map<string, OwnedPty>()
  readonly #starting = new Map<string, Promise<OwnedPty>>()
  /** Of every host that started something here: what they left in the background is found by them. */
  readonly #servers = new Set<string>()

  constructor(deps: PtyTableDeps) {
    this.#deps = deps
  }

  /**
   * Rejects when it cannot be started, or is not wanted any more: then nothing ran. `onStarted` is called before anybody hears what
   * it printed, or that it has ended.
   */
  async create(
    ptyId: string,
    command: PtyCommand,
    isWanted: () => boolean,
    onStarted: (pty: OwnedPty) => void,
  ): Promise<OwnedPty> {
    // Each that runs may have printed nothing yet: its log is opened when it does.
    needDescriptors(SPARE_FILES + this.running.length)
    const pipe = command.carry ? await this.#deps.pipes.take() : null
    try {
      if (!isWanted()) throw new Error('Whoever wanted it is gone.')
      const pty = await this.#start(ptyId, command, pipe)
      onStarted(pty)
      this.#report(pty)
      return pty
    } catch (cause) {
      pipe?.dispose()
      throw cause
    }
  }

  async #start(ptyId: string, command: PtyCommand, pipe: CarryPipe | null): Promise<OwnedPty> {
    if (this.#all.has(ptyId) || this.#starting.has(ptyId)) throw new Error(`${ptyId} is taken.`)
    if (this.running.length + this.#starting.size >= MOST_RUNNING)
      throw new Error(`${MOST_RUNNING} terminals are open.`)
    const onGrown = () => {
      const pty = this.find(ptyId)
      if (pty) this.#deps.onGrown(pty)
    }
    const onTaken = (bytes: number) => {
      const pty = this.find(ptyId)
      if (pty) this.#deps.onTaken?.(pty, bytes)
    }
    const onForget = () => this.forget(ptyId)
    // Before it starts: should this process end meanwhile, it is found.
    this.#servers.add(command.marks.server)
    const starting = OwnedPty.start(this.#deps, { ptyId, command, pipe, onGrown, onTaken, onForget })
    this.#starting.set(ptyId, starting)
    const pty = await starting.finally(() => this.#starting.delete(ptyId))
    this.#all.set(ptyId, pty)
    this.#makeRoom()
    return pty
  }

  /** What it printed before it was known is told now. */
  #report(pty: OwnedPty): void {
    if (pty.output.size > 0) this.#deps.onGrown(pty)
    void pty.ended.then(exit => this.#deps.onEnded(pty, exit))
  }

  /** Resolves when everything that is just being started is known, or did not start. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#starting.values())
  }

  find(ptyId: string): OwnedPty | null {
    return this.#all.get(ptyId) ?? null
  }

  get all(): OwnedPty[] {
    return [...this.#all.values()]
  }

  get running(): OwnedPty[] {
    return this.all.filter(pty => pty.exit === null)
  }

  /** One that runs is not forgotten. */
  forget(ptyId: string): void {
    if (this.find(ptyId)?.exit) this.#all.delete(ptyId)
  }

  /** Nothing that was started here stays behind, background children of finished commands included. */
  async endAll(graceMs: number): Promise<void> {
    await this.settled()
    await Promise.all(this.running.map(pty => pty.kill(graceMs)))
    for (const mark of this.#servers) await killTree(this.#deps.killer, markedTree(mark), graceMs)
  }

  endAllAtOnce(): void {
    for (const mark of this.#servers) killAtOnce(this.#deps.killer, markedTree(mark))
  }

  #makeRoom(): void {
    const over = this.all.filter(pty => pty.exit !== null)
    for (const { ptyId } of over.slice(0, Math.max(0, over.length - MOST_ENDED))) this.#all.delete(ptyId)
  }
}
