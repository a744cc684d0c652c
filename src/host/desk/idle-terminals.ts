import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { RunsTerminal, Terminal } from '../terminals/terminal.ts'

export interface IdleTerminalsDeps {
  readonly clock: Clock
  /** 0: none closes by itself. */
  readonly idleMs: () => number
  /** Whenever that may be another. */
  readonly onChange: (changed: () => void) => Disposable
  readonly all: () => readonly Terminal[]
  /** Somebody looks at it, a question waits for it, an approval holds there, or a person has named it. */
  readonly isKept: (terminal: RunsTerminal) => boolean
  readonly close: (terminal: RunsTerminal) => void
}

/** One that was opened only because the usual one was busy is not needed for long. */
const SURPLUS_MS = 30_000
const LOOK_EVERY_MS = 5000

/** Closes the tabs of agents in which nothing has happened for a while. Those of a person's shell are never among them. */
export function closeIdleTerminals({ clock, idleMs, onChange, all, isKept, close }: IdleTerminalsDeps): Disposable {
  const since = new Map<string, { readonly run: string | undefined; readonly at: number }>()

  const look = (): void => {
    const now = clock.elapsed()
    const after = idleMs()
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
      else if (now - before.at >= (terminal.isDefault ? after : Math.min(after, SURPLUS_MS))) close(terminal)
    }
    start()
  }

  let timer: Disposable = { dispose() {} }
  const start = (): void => {
    timer.dispose()
    const after = idleMs()
    if (after > 0) timer = clock.after(Math.min(LOOK_EVERY_MS, Math.max(100, after / 4)), look)
  }
  const life = new Disposables()
  life.add(onChange(start))
  life.defer(() => timer.dispose())
  start()
  return life
}

/** A terminal of an agent in which nothing runs or waits. */
export const isIdle = (terminal: Terminal): terminal is RunsTerminal => terminal.kind === 'runs' && terminal.isFree
