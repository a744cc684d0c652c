import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { RunsTerminal, Terminal } from '../terminals/terminal.ts'

export interface IdleTerminalsDeps {
  readonly clock: Clock
  /** 0: none closes by itself. */
  readonly idleMs: number
  readonly all: () => readonly Terminal[]
  /** Somebody looks at it, a question waits for it, an approval holds there, or a person has named it. */
  readonly isKept: (terminal: RunsTerminal) => boolean
  readonly close: (terminal: RunsTerminal) => void
}

/** One that was opened only because the usual one was busy is not needed for long. */
const SURPLUS_MS = 30_000
const LOOK_EVERY_MS = 5000

/** Closes the tabs of agents in which nothing has happened for a while. Those of a person's shell are never among them. */
export function closeIdleTerminals({ clock, idleMs, all, isKept, close }: IdleTerminalsDeps): Disposable {
  if (idleMs === 0) return { dispose() {} }
  const since = new Map<string, { readonly run: string | undefined; readonly at: number }>()

  const look = (): void => {
    const now = clock.elapsed()
    const terminals = all()
    for (const id of since.keys()) if (!terminals.some(terminal => terminal.id === id)) since.delete(id)

    for (const terminal of terminals) {
      if (!isIdle(terminal) || isKept(terminal)) {
        since.delete(terminal.id)
        continue
      }
      const before = since.get(terminal.id)
      const { latestRun } = terminal
      if (before === undefined || before.run !== latestRun) since.set(terminal.id, { run: latestRun, at: now })
      else if (now - before.at >= (terminal.isDefault ? idleMs : Math.min(idleMs, SURPLUS_MS))) close(terminal)
    }
    timer = clock.after(lookEveryMs, look)
  }

  const lookEveryMs = Math.min(LOOK_EVERY_MS, Math.max(100, idleMs / 4))
  let timer = clock.after(lookEveryMs, look)
  return { dispose: () => timer.dispose() }
}

/** A terminal of an agent in which nothing runs or waits. */
export const isIdle = (terminal: Terminal): terminal is RunsTerminal => terminal.kind === 'runs' && terminal.isFree
