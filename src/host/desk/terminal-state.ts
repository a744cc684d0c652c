import { lastLine } from '../../base/output/last-line.ts'
import type { ClosedTerminal, TerminalState } from '../../contract/wire/terminal-frames.ts'
import { textOf } from '../../runs/output/output-text.ts'
import { outcomeOf } from '../../runs/run/ended-line.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import type { Terminal } from '../terminals/terminal.ts'
import type { AwayTerminal } from '../terminals/terminals.ts'

const ASKED_BYTES = 1024
const LONGEST_ASKED = 120

/** A terminal as it is listed for a person. `now`: of the clock that its keyboard goes by. */
export function stateOf(
  terminal: Terminal,
  view: RunView | null,
  asked: readonly (string | null)[],
  now: number,
): TerminalState {
  const { id, name, kind, profile, requester } = terminal
  const running = view?.status().state.at === 'running'
  const cwd = terminal.directory
  const holder = running ? terminal.keyboard.holder(now) : null
  return {
    terminal_id: id,
    name,
    kind,
    profile,
    // A command may run elsewhere than its terminal stands.
    cwd: running && kind === 'runs' ? (view?.status().cwd ?? view?.opened.cwd ?? cwd) : cwd,
    venv: terminal.env.VIRTUAL_ENV ?? terminal.venv,
    requester,
    workspace_id: terminal.workspaceId,
    state: !running ? 'idle' : kind === 'shell' ? 'shell' : 'running',
    run_id: view?.opened.id ?? null,
    command: view?.opened.command ?? null,
    outcome: view ? outcomeOf(view.status()) : null,
    pending: asked.filter(each => each === id).length,
    waiting: terminal.waiting.length,
    ...(running && waitFields(view)),
    ...(holder !== null && { keyboard: holder }),
  }
}

/** One whose tab was closed because nothing happened in it. */
export const closedOf = ({ terminal, at }: AwayTerminal): ClosedTerminal => ({
  terminal_id: terminal.id,
  name: terminal.name,
  requester: terminal.requester,
  cwd: terminal.directory,
  closed_at: new Date(at).toISOString(),
})

function waitFields(view: RunView | null): Pick<TerminalState, 'wait_state' | 'asks'> {
  const wait_state = view?.lastWait() ?? 'none'
  if (view === null || wait_state === 'none') return {}
  const asks = lastLine(textOf(view.source(), 'tail', ASKED_BYTES).stdout).slice(-LONGEST_ASKED)
  return { wait_state, ...(asks !== '' && { asks }) }
}
