import type { TerminalState } from '../../contract/window-frames.ts'

interface SeenRun {
  readonly run_id: string
  readonly command: string | null
  readonly exit_code: number | null
}

/** By terminal. */
export type SeenRuns = Readonly<Record<string, readonly SeenRun[]>>

const MOST_RUNS = 50

/** The runs of each terminal this window has seen, so that older ones can be looked at again. */
export function withRuns(runs: SeenRuns, terminals: readonly TerminalState[]): SeenRuns {
  const next: Record<string, readonly SeenRun[]> = {}
  for (const { terminal_id, run_id, command, exit_code, state } of terminals) {
    const before = runs[terminal_id] ?? []
    // One that was declined or taken back never ran: there is nothing to look at.
    const ran = run_id !== null && (state !== 'idle' || exit_code !== null)
    const others = before.filter(run => run.run_id !== run_id)
    next[terminal_id] = ran ? [...others, { run_id, command, exit_code }].slice(-MOST_RUNS) : before
  }
  return next
}
