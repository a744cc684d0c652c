import type { Clock } from '../../base/clock.ts'
import type { PtyEnd, PtyStarter } from '../../base/process/pty.ts'
import type { StartedLine } from '../../contract/disk/run-record.ts'
import { hiddenFailure } from '../../runs/ending/hidden-failure.ts'
import { repositoryState } from '../../runs/facts/repository-state.ts'
import { startOf } from '../../runs/jail/trying.ts'
import type { Plan } from '../../runs/plan/plan.ts'
import { recheck } from '../../runs/plan/plan-changes.ts'
import type { StartedProcess } from '../../runs/run/execute-run.ts'
import type { Run } from '../../runs/run/run.ts'
import { changeOf } from '../terminals/carry.ts'
import type { Terminal } from '../terminals/terminal.ts'
import type { RunJournal } from './journal.ts'
import type { RequesterRuns } from './requester-runs.ts'

export interface SpawnDeps {
  readonly clock: Clock
  readonly pty: PtyStarter
  readonly runs: RequesterRuns
  readonly records: RunJournal
}

/** Starts exactly what was judged, in its terminal, and takes over where it stood at its end. */
export async function spawnInTerminal(
  deps: SpawnDeps,
  terminal: Terminal,
  { run, plan }: { readonly run: Run; readonly plan: Plan },
): Promise<StartedProcess> {
  const { pty, runs, records } = deps
  const { id, requester } = run.request
  const about = { requester, runId: id }
  const { registry } = runs.of(requester)

  // Waited for first: what is written down and looked at from here on happens at once.
  await pty.ready()
  recheck(plan)
  // Before the command can change it.
  const repository = repositoryState(plan.cwd)
  const { killAfterMs: kill_after_ms } = run.request
  const jailed =
    plan.jail === null ? {} : { sandbox: { mode: plan.jail.mode, profile: plan.jail.profile, network: [] } }
  const said = { plan_hash: plan.hash, executable: plan.executable.path, kill_after_ms, ...jailed }
  records.appendOrThrow('starting', about, said)

  const { cwd, cwdIdentity, env, carry } = plan
  const { executable, args } = startOf(plan, run.directory)
  const marks = registry.marksOf(id)
  const { directory, quotaBytes } = run
  const child = await pty.start(
    {
      requester,
      runId: id,
      terminalId: terminal.id,
      executable: executable.path,
      args,
      cwd,
      pinned: { cwd: cwdIdentity, executable: executable.identity },
      env,
      marks,
      cols: terminal.cols,
      rows: terminal.rows,
      log: { directory, quotaBytes },
      carry,
    },
    () => run.grown(),
  )

  run.runsIn(child)
  terminal.shows(child)
  const { pid, pidStart: start, owner, startedAt: at } = child
  noteStarted(deps, run, plan, {
    ...{ pid, start, at, executable: plan.executable.path, repository },
    ...(run.sandbox && { sandbox: run.sandbox }),
    size: { cols: terminal.cols, rows: terminal.rows },
    ...(owner && { pty_host: owner }),
    ...(kill_after_ms !== null && { kill_after_ms }),
    ...(run.cwd !== run.request.cwd && { cwd: run.cwd }),
  })

  const ended = child.ended.then(end => {
    if (carry) takeOver(terminal, run, plan, end)
    else if (plan.jail !== null) run.carried = { nothing: 'it ran in the sandbox' }
    run.pipestatus = end === 'lost' ? null : hiddenFailure(end)
    return end
  })
  return { pid, pidStart: start, startedAt: at, ended }
}

/** It runs already: a full disk is no reason to call it not started. */
export function noteStarted(
  { runs, records }: Pick<SpawnDeps, 'runs' | 'records'>,
  run: Run,
  plan: Plan,
  started: Omit<StartedLine, 'type' | 'id' | 'mark' | 'plan_hash'>,
): void {
  const { id, requester } = run.request
  const { store, registry } = runs.of(requester)
  const mark = registry.marksOf(id).run
  store.appendAfter({ type: 'started', id, mark, plan_hash: plan.hash, ...started })
  records.appendBestEffort('started', { requester, runId: id }, { pid: started.pid, approved_by: run.approvedBy })
}

function takeOver(terminal: Terminal, run: Run, plan: Plan, end: PtyEnd): void {
  const carried = end === 'lost' ? null : end.carried
  if (carried === null || run.stopping !== null) {
    run.carried = {
      nothing: run.stopping ? 'it was killed' : 'its shell was replaced or killed, or set an EXIT trap of its own',
    }
    return
  }
  const change = changeOf(plan, carried)
  terminal.carry(change)
  run.carried = change.said
}
