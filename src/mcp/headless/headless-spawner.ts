import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { ChildStarter } from '../../base/process/child-starter.ts'
import { killTree } from '../../base/process/kill-tree.ts'
import type { ProcessTable } from '../../base/process/process-table.ts'
import { PtyStartLost } from '../../base/process/pty.ts'
import type { Settings } from '../../config/env.ts'
import { repositoryState } from '../../runs/facts/repository-state.ts'
import { startOf } from '../../runs/jail/trying.ts'
import type { Plan } from '../../runs/plan/plan.ts'
import { recheck } from '../../runs/plan/plan-changes.ts'
import type { StartedProcess } from '../../runs/run/execute-run.ts'
import { startPipeProcess } from '../../runs/run/pipe-process.ts'
import type { Run } from '../../runs/run/run.ts'
import type { RunRegistry } from '../../runs/run/run-registry.ts'
import type { RunStore } from '../../runs/store/run-store.ts'
import type { ServerEnvironment } from './headless-gate.ts'

export interface HeadlessSpawnerDeps {
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly world: ServerEnvironment
  readonly starter: ChildStarter
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
    const { table, store, clock, registry, starter } = this.#deps
    recheck(plan)
    // Before the command can change it.
    const repository = repositoryState(plan.cwd)
    const { argv, cwd, env } = plan
    const { executable, args } = startOf(plan, run.directory)
    const mark = registry.marksOf(run.request.id).run

    const child = await startPipeProcess(
      starter,
      { executable: executable.path, argv: [argv[0] ?? '', ...args], cwd, env },
      {
        output: (stream, chunk) => run.log.append(stream, chunk),
        streamEnd: stream => run.log.endStream(stream),
        closed: () => {
          run.close()
          closed()
        },
      },
      clock,
    ).catch(async (cause: unknown) => {
      if (cause instanceof PtyStartLost) await this.#endTree({ pid: -1, start: null, mark })
      throw cause
    })

    const start = child.start ?? table.row(child.pid)?.start ?? null
    // It runs already: a full disk is no reason to call it not started.
    store.appendAfter({
      type: 'started',
      id: run.request.id,
      pid: child.pid,
      start,
      mark,
      executable: plan.executable.path,
      ...(run.sandbox && { sandbox: run.sandbox }),
      plan_hash: plan.hash,
      at: clock.now(),
      repository,
    })

    const ended = child.ended.then(async end => {
      if (end === 'lost') await this.#endTree({ pid: child.pid, start, mark })
      return end
    })
    return { pid: child.pid, pidStart: start, ended }
  }

  /** Whoever started it is gone, and with it what it prints: nothing of it goes on unseen. */
  async #endTree(tree: { readonly pid: number; readonly start: string | null; readonly mark: string }): Promise<void> {
    const { table, clock, log, settings, world } = this.#deps
    const killer = { table, clock, platform: world.platform }
    await killTree(killer, { ...tree, leads: true }, settings.PM_TERM_KILL_GRACE_MS).catch((cause: unknown) =>
      log.error('what is left of a lost command could not be ended', { cause }),
    )
  }
}
