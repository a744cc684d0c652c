import type { Disposable } from '../base/disposable.ts'
import type { Ids } from '../base/ids.ts'
import type { PtyCommand, PtyOwner, PtyProcess } from '../base/process/pty.ts'
import { PtyTable, type PtyTableDeps } from './pty-table.ts'

/** Terminals in the host's own process (PM_TERM_PTY_HOST=in_process): they end with it, and nothing is taken back. */
export class InProcessPtys implements PtyOwner {
  readonly health = {
    now: () => ({ at: 'up', pid: null, restarts: 0 }) as const,
    watch: () => ({ dispose() {} }),
  }
  readonly #table: PtyTable
  readonly #ids: Ids
  readonly #pipes: Disposable
  readonly #listeners = new WeakMap<object, () => void>()

  constructor(deps: Omit<PtyTableDeps, 'onGrown' | 'onEnded'> & { readonly ids: Ids }) {
    this.#ids = deps.ids
    this.#pipes = deps.pipes
    this.#table = new PtyTable({
      ...deps,
      onGrown: pty => this.#listeners.get(pty)?.(),
      onEnded: () => {},
    })
  }

  async ready(): Promise<void> {}

  start(command: PtyCommand, onGrown: () => void): Promise<PtyProcess> {
    const id = this.#ids.make('pty')
    return this.#table.create(
      id,
      command,
      () => true,
      pty => this.#listeners.set(pty, onGrown),
    )
  }

  async takeBack(): Promise<readonly []> {
    return []
  }

  async end(graceMs: number): Promise<void> {
    await this.#table.endAll(graceMs)
    this.#pipes.dispose()
  }
}
