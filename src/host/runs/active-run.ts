import type { WithdrawnBy } from '../../runs/run/run-state.ts'
import type { RunView } from '../../runs/run/run-view.ts'

/** A run that was asked for, as long as it is not over. */
export interface ActiveRun {
  readonly view: RunView
  readonly terminalId: string | null
  /** Before it has started: it never will. After that: nothing, an interactive run lives on. */
  withdraw(why: WithdrawnBy): void
}

export const activeRunKey = (requester: string, id: string): string => `${requester}\0${id}`

/** One that is over, or that nobody here could take back. */
export const over = (view: RunView): ActiveRun => ({
  view,
  terminalId: view.opened.terminal_id ?? null,
  withdraw() {},
})
