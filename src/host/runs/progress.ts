import type * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import { toType } from '../../base/own-command.ts'
import type { Progress } from '../../contract/wire/host-frames.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import { needsInput } from '../../runs/wait/wait.ts'
import type { ApprovalQueue } from '../questions/approval-queue.ts'
import type { Presence } from '../questions/presence.ts'
import type { Terminal } from '../terminals/terminal.ts'
import type { Terminals } from '../terminals/terminals.ts'
import type { ActiveRun } from './active-run.ts'

export type ProgressReport = Omit<z.output<typeof Progress>, 'type' | 'id' | 'request_id' | 'trace_id'>

const PROGRESS_EVERY_MS = 1000

/** Reports how a run is doing to whoever waits for it, when that changes and every second. */
export function reportProgress(
  { view, terminalId }: ActiveRun,
  deps: {
    readonly clock: Clock
    readonly queue: ApprovalQueue
    readonly presence: Presence
    readonly terminals: Terminals
    readonly requester: string
  },
  onProgress: (progress: ProgressReport) => void,
): Disposable {
  const { clock, queue, presence, terminals, requester } = deps
  const began = clock.elapsed()
  const { id } = view.opened

  let reported = newsOf(view)
  let timer: Disposable = { dispose() {} }
  const report = () => {
    timer.dispose()
    const progress = progressOf(view, {
      elapsedMs: clock.elapsed() - began,
      questionsAhead: queue.ahead(id),
      approvers: presence.count,
      terminal: terminalId === null ? null : terminals.ofRun(requester, id),
    })
    if (progress) onProgress(progress)
    timer = clock.after(PROGRESS_EVERY_MS, report)
  }

  report()
  const life = new Disposables()
  life.defer(() => timer.dispose())
  life.add(
    view.watch(() => {
      const news = newsOf(view)
      if (news === reported) return
      reported = news
      report()
    }),
  )
  return life
}

const newsOf = (view: RunView): string => `${view.status().state.at} ${needsInput(view)}`

/** What is reported to somebody who waits; null when there is nothing more to report. */
function progressOf(
  view: RunView,
  around: { elapsedMs: number; questionsAhead: number; approvers: number; terminal: Terminal | null },
): ProgressReport | null {
  const elapsed_ms = Math.round(around.elapsedMs)
  const seconds = `${Math.round(elapsed_ms / 1000)} s`
  const { id } = view.opened

  switch (view.status().state.at) {
    case 'received': {
      const { terminal } = around
      const place = terminal?.waiting.indexOf(id) ?? -1
      if (!terminal || place < 0) return null
      const behind = terminal.waiting[place - 1] ?? terminal.busyWith ?? undefined
      return {
        phase: 'queued',
        elapsed_ms,
        ahead: place + 1,
        ...(behind !== undefined && { behind }),
        message: `waiting for the terminal, ${seconds}, behind ${behind}`,
      }
    }

    case 'awaiting_approval': {
      const ahead = around.questionsAhead
      return around.approvers === 0
        ? {
            phase: 'waiting_for_approver',
            elapsed_ms,
            ahead,
            message: `waiting for somebody to ask, ${seconds}: run "${toType('approve')}"`,
          }
        : { phase: 'awaiting_approval', elapsed_ms, ahead, message: `waiting for approval, ${seconds}, ${ahead} ahead` }
    }

    case 'running': {
      const output_bytes = view.source().size
      const waits = needsInput(view) ? view.waits() : null
      return {
        phase: 'running',
        elapsed_ms,
        ahead: 0,
        output_bytes,
        ...(waits && { wait_state: waits.state }),
        message: `running, ${seconds}, ${output_bytes} bytes of output`,
      }
    }

    case 'exited':
    case 'killed':
    case 'timed_out':
    case 'lost':
    case 'blocked':
    case 'declined':
    case 'expired':
    case 'withdrawn':
    case 'failed':
      return null
  }
}
