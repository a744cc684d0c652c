import type { Disposable } from '../../base/disposable.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import { RunScreen, type SizeAt } from './screen.ts'
import type { TerminalActions } from './terminal-actions.ts'

const MOST_SCREENS = 8
const MOST_RUNS = 1000

/** The screens of runs, for all windows together: what one of them had read is read for the others. */
export class RunScreens implements Disposable {
  readonly #desk: TerminalActions
  readonly #screens = new Map<string, RunScreen>()
  /** Every size a run's terminal had while it ran: a screen is only right when it is followed through them. */
  readonly #sizes = new Map<string, SizeAt[]>()
  readonly #watching: Disposable

  constructor(desk: TerminalActions) {
    this.#desk = desk
    this.#watching = desk.watch(() => this.#note())
    this.#note()
  }

  dispose(): void {
    this.#watching.dispose()
    for (const screen of this.#screens.values()) screen.dispose()
    this.#screens.clear()
  }

  of(view: RunView): RunScreen {
    const key = keyOf(view)
    const known = this.#screens.get(key)
    if (known) return known
    const screen = new RunScreen({ source: () => view.source(), sizes: () => this.#sizes.get(key) ?? [UNKNOWN] })
    this.#screens.set(key, screen)
    const [oldest] = this.#screens
    if (this.#screens.size > MOST_SCREENS && oldest) {
      this.#screens.delete(oldest[0])
      oldest[1].dispose()
    }
    return screen
  }

  #note(): void {
    for (const terminal of this.#desk.all) {
      const { cols, rows } = terminal
      const view = this.#desk.runIn(terminal)
      if (view === null || view.over()) continue
      const sizes = this.#sizes.get(keyOf(view)) ?? []
      const last = sizes.at(-1)
      if (last?.cols === cols && last.rows === rows) continue
      sizes.push({ offset: last ? view.source().size : 0, cols, rows })
      this.#sizes.set(keyOf(view), sizes)
      const [oldest] = this.#sizes.keys()
      if (this.#sizes.size > MOST_RUNS && oldest !== undefined) this.#sizes.delete(oldest)
    }
  }
}

/** Of a run that an earlier host started. */
const UNKNOWN: SizeAt = { offset: 0, cols: 120, rows: 30 }

const keyOf = ({ opened }: RunView): string => `${opened.requester}\0${opened.id}`
