import type { Clock } from '../../base/clock.ts'
import type { TreeKillerDeps } from '../../base/process/kill-tree.ts'
import type { PtyProcess } from '../../base/process/pty.ts'
import { invalidPayload } from '../../contract/tool/issues.ts'
import { repositoryState } from '../../runs/facts/repository-state.ts'
import type { Plan } from '../../runs/plan/plan.ts'
import { PlanChanged, recheck } from '../../runs/plan/plan-changes.ts'
import type { StartedProcess } from '../../runs/run/execute-run.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunView } from '../../runs/run/run-view.ts'
import { linkOf, nonceOf } from '../terminals/shell-process.ts'
import { NO_MARKS, SentLine, shellBusy, unsendable } from '../terminals/shell-send.ts'
import { ShellSession } from '../terminals/shell-session.ts'
import type { ShellTerminal } from '../terminals/terminal.ts'
import { noteStarted, type SpawnDeps, spawnInTerminal } from './spawn.ts'

export interface PlannedStart {
  readonly run: Run
  readonly plan: Plan
  readonly view: RunView
}

/** How long a prompt may take to come back after the command before it, or to come at all. */
const PROMPT_WITHIN_MS = 5000

/** Opens the person's own shell in its terminal. Its run lasts as long as the shell. */
export async function openShell(
  deps: SpawnDeps,
  terminal: ShellTerminal,
  { plan, run, view }: PlannedStart,
): Promise<StartedProcess> {
  const started = await spawnInTerminal(deps, terminal, { plan, run })
  const { live } = terminal
  if (live === null) return started
  const nonce = plan.env.INTERACTIVE_TERMINAL_NONCE ?? null
  listen(terminal, { run, child: live, clock: deps.clock, view, nonce, program: plan.executable.path })
  return started
}

/** A shell that outlived its host. Without its nonce its marks mean nothing, and nothing is typed into it for an agent. */
export function restoreShell(
  terminal: ShellTerminal,
  of: { readonly run: Run; readonly child: PtyProcess; readonly clock: Clock; readonly view: RunView },
): void {
  const { pid } = of.child
  terminal.beginShell(of.run.request.id)
  listen(terminal, { ...of, nonce: nonceOf(pid) ?? '', program: linkOf(pid, 'exe') ?? '/bin/sh' })
  terminal.shell?.wasLeftAlone()
}

function listen(
  terminal: ShellTerminal,
  of: {
    readonly run: Run
    readonly child: PtyProcess
    readonly clock: Clock
    readonly view: RunView
    readonly nonce: string | null
    readonly program: string
  },
): void {
  const { run, child } = of
  // A shell at its prompt does not listen to SIGTERM; hung up, it keeps its history.
  run.runsIn({
    get output() {
      return child.output
    },
    forget: () => child.forget(),
    kill: graceMs => {
      hangUp(child)
      return child.kill(graceMs)
    },
  })
  terminal.speaksThrough(new ShellSession(child, of))
}

/** Types what was approved into the shell, if it still waits for a line. */
export async function typeLine(
  deps: SpawnDeps & { readonly killer: TreeKillerDeps },
  terminal: ShellTerminal,
  { run, plan }: PlannedStart,
): Promise<StartedProcess> {
  const { shell } = terminal
  const busy = shell === null ? 'the shell has ended' : await shell.whenReady(PROMPT_WITHIN_MS)
  if (shell === null || busy !== null) throw shellBusy(busy ?? 'the shell has ended')
  const problem = unsendable(plan.command, shell)
  if (problem !== null) throw invalidPayload([{ field: 'execution.command', problem }])

  const now = terminal.directory
  if (now !== plan.cwd) throw new PlanChanged([`The shell is in ${now} now, not in ${plan.cwd}.`])
  recheck(plan)
  const repository = repositoryState(plan.cwd)

  const about = { requester: run.request.requester, runId: run.request.id }
  deps.records.appendOrThrow('starting', about, { plan_hash: plan.hash, typed_into: terminal.shellRun })
  if (!shell.hasMarks) run.addNote(NO_MARKS)

  const sent = new SentLine(shell, { line: plan.command, log: run.log }, deps)
  run.runsIn(sent)

  const { pid, pidStart: start } = shell.process
  noteStarted(deps, run, plan, {
    ...{ pid, start, at: deps.clock.now(), executable: shell.program, repository },
    ...(terminal.shellRun !== null && { typed_into: terminal.shellRun }),
  })
  return { pid, pidStart: start, ended: sent.ended }
}

function hangUp({ pid }: PtyProcess): void {
  try {
    process.kill(pid, 'SIGHUP')
  } catch {
    // It has ended meanwhile.
  }
}
