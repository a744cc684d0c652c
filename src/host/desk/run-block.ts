import { commandLine } from '../../approving/question.ts'
import type { RunBlock } from '../../contract/wire/terminal-frames.ts'
import { outcomeOf } from '../../runs/run/ended-line.ts'
import type { RunState } from '../../runs/run/run-state.ts'
import type { RunView } from '../../runs/run/run-view.ts'

/** A list of them goes to every window that looks: whoever wants all of a long line reads the record of the run. */
const LONGEST_LINE = 2000

/** A run as a block of its terminal: what, who, where, how long and how it ended. `now`: the time of day. */
export function runBlock(view: RunView, now: number): RunBlock {
  const { id, client = '', cwd } = view.opened
  const status = view.status()
  const line = commandLine(view.opened)
  const outcome = outcomeOf(status)
  const { command_executed: instead } = outcome
  return {
    run_id: id,
    line: cut(line),
    is_cut: (instead ?? line).length > LONGEST_LINE,
    client,
    cwd: status.cwd ?? cwd,
    ran_ms: ranMs(status.state, now),
    outcome: { ...outcome, command_executed: instead === null ? null : cut(instead) },
  }
}

const cut = (line: string): string => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line)

function ranMs(state: RunState, now: number): number | null {
  if (state.at === 'running') return Math.max(0, Math.round(now - state.startedAt))
  return 'tookMs' in state ? Math.max(0, Math.round(state.tookMs)) : null
}
