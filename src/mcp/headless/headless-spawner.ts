import type { Clock } from '../../base/clock.ts'
import type { ProcessTable } from '../../base/process/process-table.ts'
import type { Plan } from '../../runs/plan/plan.ts'
import { recheck } from '../../runs/plan/plan-changes.ts'
import type { StartedProcess } from '../../runs/run/execute-run.ts'
import { startPipeProcess } from '../../runs/run/pipe-process.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunRegistry } from '../../runs/run/run-registry.ts'
import type { RunStore } from '../../runs/store/run-store.ts'

export interface HeadlessSpawnerDeps {
  readonly clock: Clock
  readonly table: ProcessTable
  readonly registry: RunRegistry
  readonly store: RunStore
}

/** Starts exactly what was judged, as a child of this server with its output in pipes. */
export class HeadlessSpawner {
  readonly #deps: HeadlessSpawnerDeps

  constructor(deps: HeadlessSpawnerDeps) {
    this.#deps = deps
  }

  /** `closed`: nobody holds its output open any more, maybe long after its end. */
  async spawn(run: Run, plan: Plan, closed: () => void): Promise<StartedProcess> {
    const { table, store, clock, registry } = this.#deps
    recheck(plan)
    const { executable, argv, cwd, env, hash } = plan

    const child = await startPipeProcess(
      { executable: executable.path, argv, cwd, env },
      {
        output: (stream, chunk) => run.log.append(stream, chunk),
        streamEnd: stream => run.log.endStream(stream),
        closed: () => {
          run.close()
          closed()
        },
      },
      clock,
    )

    const start = table.row(child.pid)?.start ?? null
    const mark = registry.marksOf(run.request.id).run
    // It runs already: a full disk is no reason to call it not started.
    store.appendAfter({
      type: 'started',
      id: run.request.id,
      pid: child.pid,
      start,
      mark,
      executable: executable.path,
      plan_hash: hash,
      at: clock.now(),
    })

    return { pid: child.pid, pidStart: start, ended: child.ended }
  }
}
