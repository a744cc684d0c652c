import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables, onAbort } from '../../base/disposable.ts'
import type { WantedWait } from '../../contract/tool/wait.ts'
import type { RunView } from '../run/run-view.ts'
import type { Woke } from './finder.ts'
import { watchFile } from './watch-file.ts'
import { watchMatch } from './watch-match.ts'
import { type RunProcesses, watchPort } from './watch-port.ts'

export interface Patience {
  readonly clock: Clock
  readonly ms: number
  readonly signal: AbortSignal
  /** The wait is over when the program waits for input: if nobody was told of that, or in any case. */
  readonly input?: 'ends_it' | 'always_ends_it'
}

export const UNTIL_EXIT: Pick<WantedWait, 'until' | 'said'> = { until: 'exit', said: by => by }

/** Whoever has no patience at all hears that it runs, not that it is about to: that is a matter of a moment. */
const LONGEST_START_MS = 2000

const hasBegun = (view: RunView): boolean => view.status().state.at !== 'received'

/** Resolves when what was waited for is there, the run is over, or patience ends; says which. Rejects for a pattern that takes for ever. */
export function waitFor(
  view: RunView,
  wanted: Pick<WantedWait, 'until' | 'said'> & Partial<WantedWait>,
  {
    clock,
    ms,
    signal,
    cursor,
    machine,
    input,
  }: Patience & { readonly cursor?: number | undefined; readonly machine?: RunProcesses },
): Promise<Woke> {
  const { until, said, bytes = 1, idleMs = 0 } = wanted
  const from = cursor ?? view.source().size

  return new Promise((resolve, reject) => {
    const life = new Disposables()
    let note: string | undefined
    const settle = (by: Parameters<typeof said>[0], more: Omit<Woke, 'by'> = {}) => {
      life.dispose()
      resolve({ by: said(by), ...(note !== undefined && { note }), ...more })
    }
    // What is about to run is told of once it runs.
    let waiting: (() => void) | null = null
    const done: typeof settle = (by, more) => {
      if (waiting || by === 'exit' || hasBegun(view)) return waiting ? undefined : settle(by, more)
      waiting = () => settle(by, more)
      life.add(clock.after(LONGEST_START_MS, waiting))
    }
    const found = {
      clock,
      here: (more: Omit<Woke, 'by'> = {}) => done(until, more),
      note: (text: string | undefined) => {
        note = text
      },
      failed: (cause: unknown) => {
        life.dispose()
        reject(cause)
      },
    }

    let silence: Disposable = { dispose() {} }
    let lastSize = -1
    const listen = () => {
      if (waiting) {
        if (hasBegun(view)) waiting()
        return
      }
      // Checked before the size: output that comes with the end is not missed.
      const over = view.over()
      const { size } = view.source()
      if (until === 'bytes' && size >= from + bytes) return done('bytes')
      // What it printed last is looked through first.
      if (over && until !== 'match') return done('exit')
      if (input !== undefined && waitsForInput(view, input)) return done('input')
      if (until === 'idle' && size !== lastSize) {
        silence.dispose()
        silence = clock.after(idleMs, () => done('idle'))
      }
      lastSize = size
    }

    life.add(clock.after(ms, () => done('deadline')))
    life.defer(() => silence.dispose())
    if (until === 'match')
      life.add(
        watchMatch(view, { patterns: wanted.match ?? [], from: cursor ?? 0 }, { ...found, over: () => done('exit') }),
      )
    if (until === 'port' && machine) life.add(watchPort(wanted.port ?? 0, machine, found))
    if (until === 'file') life.add(watchFile(view, wanted.file ?? '', found))
    life.add(view.watch(listen))
    listen()
    // Last, because it may be over already: then everything above ends with it.
    life.add(onAbort(signal, () => settle('deadline')))
  })
}

function waitsForInput(view: RunView, input: NonNullable<Patience['input']>): boolean {
  const waits = view.waits()
  return needsInput(view) || (input === 'always_ends_it' && waits?.settled === true && waits.state !== 'none')
}

/** It waits for input, and whoever waits for it does not know that yet. */
export function needsInput(view: RunView): boolean {
  const waits = view.waits()
  return waits !== null && waits.state !== 'none' && waits.settled && !waits.reported
}
