import { readlinkSync } from 'node:fs'
import type { TreeKillerDeps } from '../base/kill-tree.ts'
import type { PtyProcess } from '../base/pty.ts'
import { invalidPayload } from '../contract/issues.ts'
import type { StartedProcess } from '../runs/execute-run.ts'
import type { Plan } from '../runs/plan.ts'
import type { Run } from '../runs/run.ts'
import type { RunView } from '../runs/run-view.ts'
import { NO_MARKS, SentLine, shellBusy, unsendable } from './shell-send.ts'
import { ShellSession } from './shell-session.ts'
import type { Terminal } from './terminals.ts'
import { type SpawnDeps, spawnInTerminal } from './terminals-spawn.ts'

interface Doing {
  readonly run: Run
  readonly plan: Plan
  readonly terminal: Terminal
}

/** How long a prompt may take to come back after the command before it, or to come at all. */
const PROMPT_WITHIN_MS = 5000

/** Opens the person's own shell in its terminal. Its run lasts as long as the shell. */
export async function openShell(deps: SpawnDeps, doing: Doing & { readonly view: RunView }): Promise<StartedProcess> {
  const { terminal, plan, run, view } = doing
  const started = await spawnInTerminal(deps, doing)
  const { live } = terminal
  if (live === null) return started
  // A shell at its prompt does not listen to SIGTERM; hung up, it keeps its history.
  run.runsIn({
    get output() {
      return live.output
    },
    forget: () => live.forget(),
    kill: graceMs => {
      hangUp(live)
      return live.kill(graceMs)
    },
  })
  const nonce = plan.env.INTERACTIVE_TERMINAL_NONCE ?? null
  const shell = new ShellSession(live, { clock: deps.clock, nonce, program: plan.executable.path, view })
  terminal.shell = shell
  const ended = started.ended.then(end => {
    shell.dispose()
    if (terminal.shell === shell) terminal.shell = null
    return end
  })
  return { ...started, ended }
}

/** Types what was approved into the shell, if it still waits for a line. */
export async function typeLine(
  deps: SpawnDeps & { readonly killer: TreeKillerDeps },
  { run, plan, terminal }: Doing,
): Promise<StartedProcess> {
  const { shell } = terminal
  const busy = shell === null ? 'the shell has ended' : await shell.whenReady(PROMPT_WITHIN_MS)
  if (shell === null || busy !== null) throw shellBusy(busy ?? 'the shell has ended')
  const problem = unsendable(plan.command, shell)
  if (problem !== null) throw invalidPayload([{ field: 'execution.command', problem }])
  const { id, requester } = run.request
  const about = { requester, runId: id }
  const { store, registry } = deps.runs.of(requester)
  deps.records.before('starting', about, { plan_hash: plan.hash, typed_into: terminal.shellRun })
  if (!shell.hasMarks) run.note = NO_MARKS
  const sent = new SentLine(shell, { line: plan.command, log: run.log }, deps)
  run.runsIn(sent)
  const { pid, pidStart: start } = shell.process
  const mark = registry.marksOf(id).run
  const at = deps.clock.now()
  store.append({ type: 'started', id, pid, start, mark, executable: shell.program, plan_hash: plan.hash, at })
  deps.records.after('started', about, { pid, approved_by: run.approvedBy })
  return { pid, pidStart: start, ended: sent.ended }
}

function hangUp({ pid }: PtyProcess): void {
  try {
    process.kill(pid, 'SIGHUP')
  } catch {
    // It has ended meanwhile.
  }
}

/** Where a shell stands now, where the system tells. */
export function directoryOf(terminal: Terminal): string {
  const pid = terminal.shell?.process.pid
  try {
    return pid === undefined ? terminal.cwd : readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return terminal.cwd // no /proc here
  }
}
