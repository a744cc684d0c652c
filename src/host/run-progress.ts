import type * as z from 'zod'
import type { Progress } from '../contract/host-frames.ts'
import type { RunView } from '../runs/run-view.ts'
import type { Terminal } from './terminals.ts'

type Told = Omit<z.output<typeof Progress>, 'type' | 'id' | 'request_id' | 'trace_id'>

/** What somebody who waits wants to hear; null when there is nothing to tell any more. */
export function progressOf(
  view: RunView,
  around: { elapsedMs: number; questionsAhead: number; approvers: number; terminal: Terminal | null },
): Told | null {
  const elapsed_ms = Math.round(around.elapsedMs)
  const seconds = `${Math.round(elapsed_ms / 1000)} s`
  const { id } = view.opened
  switch (view.now().state) {
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
            message: `waiting for somebody to ask, ${seconds}: run "interactive-terminal approve"`,
          }
        : { phase: 'awaiting_approval', elapsed_ms, ahead, message: `waiting for approval, ${seconds}, ${ahead} ahead` }
    }
    case 'running': {
      const output_bytes = view.source().size
      return {
        phase: 'running',
        elapsed_ms,
        ahead: 0,
        output_bytes,
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
