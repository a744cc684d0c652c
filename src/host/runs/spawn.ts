import type { Clock } from '../../base/clock.ts'
import type { PtyEnd, PtyStarter } from '../../base/process/pty.ts'
import { hiddenFailure } from '../../runs/ending/hidden-failure.ts'
import type { Plan } from '../../runs/plan/plan.ts'
import { recheck } from '../../runs/plan/plan-changes.ts'
import type { StartedProcess } from '../../runs/run/execute-run.ts'
import type { Run } from '../../runs/run/run.ts'
import { changeOf } from '../terminals/carry.ts'
import type { Terminal } from '../terminals/terminals.ts'
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
  { run, plan, terminal }: { readonly run: Run; readonly plan: Plan; readonly terminal: Terminal },
): Promise<StartedProcess> {
  const { pty, runs, records } = deps
  const { id, requester } = run.request
  const about = { requester, runId: id }
  const { store, registry } = runs.of(requester)

  // Waited for first: what is written down and looked at from here on happens at once.
  await pty.ready()
  recheck(plan)
  const { killAfterMs: kill_after_ms } = run.request
  records.appendOrThrow('starting', about, { plan_hash: plan.hash, executable: plan.executable.path, kill_after_ms })

  const { executable, argv, cwd, cwdIdentity, env, hash, carry } = plan
  const marks = registry.marksOf(id)
  const { directory, quotaBytes } = run
  const child = await pty.start(
    {
      requester,
      runId: id,
      terminalId: terminal.id,
      executable: executable.path,
      args: argv.slice(1),
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
  terminal.live = child
  const { pid, pidStart: start, owner, startedAt: at } = child

  // It runs already: a full disk is no reason to call it not started.
  store.appendAfter({
    type: 'started',
    id,
    pid,
    start,
    mark: marks.run,
    executable: executable.path,
    plan_hash: hash,
    at,
    ...(owner && { pty_host: owner }),
    ...(kill_after_ms !== null && { kill_after_ms }),
    ...(run.cwd !== run.request.cwd && { cwd: run.cwd }),
  })
  records.appendBestEffort('started', about, { pid, approved_by: run.approvedBy })

  const ended = child.ended.then(end => {
    if (terminal.live === child) terminal.live = null
    if (carry) takeOver(terminal, run, plan, end)
    run.pipestatus = end === 'lost' ? null : hiddenFailure(end)
    return end
  })
  return { pid, pidStart: start, startedAt: at, ended }
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
  if (change.cwd !== null) terminal.cwd = change.cwd
  terminal.env = { ...terminal.env, ...change.env }
  run.carried = change.said
}
