import type { RunOutcome } from '../../contract/disk/run-record.ts'
import type { TerminalState } from '../../contract/wire/terminal-frames.ts'

export interface SeenRun {
  readonly run_id: string
  readonly command: string | null
  readonly outcome: RunOutcome
}

/** By terminal. */
export type SeenRuns = Readonly<Record<string, readonly SeenRun[]>>

const MOST_RUNS = 50

/** The runs of each terminal this window has seen, so that older ones can be looked at again; also those that never ran. */
export function withRuns(runs: SeenRuns, terminals: readonly TerminalState[]): SeenRuns {
  const next: Record<string, readonly SeenRun[]> = {}
  for (const { terminal_id, run_id, command, outcome } of terminals) {
    const before = runs[terminal_id] ?? []
    const others = before.filter(run => run.run_id !== run_id)
    const isOne = run_id !== null && outcome !== null
    next[terminal_id] = isOne ? [...others, { run_id, command, outcome }].slice(-MOST_RUNS) : before
  }
  return next
}
