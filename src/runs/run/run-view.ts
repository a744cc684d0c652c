import type { Clock } from '../../base/clock.ts'
import { type Disposable, Disposables } from '../../base/disposable.ts'
import type { OpenedLine } from '../../contract/disk/run-record.ts'
import type { Verdict as ExplainedVerdict, Result } from '../../contract/tool/response.ts'
import type { WaitState } from '../../contract/wait-state.ts'
import { type OutputSource, segmentEnd } from '../output/output-text.ts'
import type { StoredRun } from '../store/ledger.ts'
import type { RunStore } from '../store/run-store.ts'
import { statusIn } from './ended-line.ts'
import { endLeftIn } from './left-end.ts'
import type { Run } from './run.ts'
import { openedLine } from './run-request.ts'
import type { RunState } from './run-state.ts'
import { approvalIn, type RunStatus, statusOf } from './run-status.ts'
import type { RunWait } from './wait-watch.ts'

/** A run as anybody may look at it, whether it lives in this process, in another one, or only on disk. */
export interface RunView {
  readonly owner: 'this_server' | 'another_server' | 'earlier_server'
  readonly opened: OpenedLine
  status(): RunStatus
  over(): boolean
  source(): OutputSource
  watch(watcher: () => void): Disposable
  verdict(): ExplainedVerdict | null
  planHash(): string | null
  /** What it waits for while it runs in a terminal of this process; null: not known. */
  waits(): RunWait | null
  /** What the last look has found, for whoever looks on. */
  lastWait(): WaitState
  /** What became of the last that was to be typed into it for an agent. */
  input(): Result['input'] | null
  /** Whoever asked for it hears of this wait now. */
  markWaitReported(): void
}

// Another server's log can only be looked at, not listened to.
const LOOK_EVERY_MS = 100

export function viewOfOwn(run: Run, server: OpenedLine['server']): RunView {
  return {
    owner: 'this_server',
    opened: openedOf(run, server),
    status: () => run.status(),
    over: () => run.over,
    source: () => ({
      directory: run.directory,
      size: run.output.size,
      over: run.over && run.drained,
      // What is printed in a terminal is in the memory of its owner.
      ...(run.terminal === null && { recent: (from: number, most: number) => run.log.recent(from, most) }),
    }),
    watch: watcher => run.watch(watcher),
    verdict: () => run.explained,
    planHash: () => run.planHash,
    waits: () => run.waiting?.now ?? null,
    lastWait: () => run.waiting?.found ?? 'none',
    input: () => run.input,
    markWaitReported: () => run.waiting?.markReported(),
  }
}

export const openedOf = (run: Run, server: OpenedLine['server']): OpenedLine =>
  run.left?.opened ?? openedLine(run.request, server, run.openedAt)

export function viewOfStored(
  deps: { store: RunStore; clock: Clock; serverId: string; alive: (run: StoredRun) => boolean },
  first: StoredRun,
): RunView {
  let run = first
  let looked = deps.clock.elapsed()

  // A run that is over never changes again; one that is not is looked at anew, though not for every question.
  const fresh = (): StoredRun => {
    if (run.ended === null && deps.clock.elapsed() - looked >= LOOK_EVERY_MS / 2) {
      run = deps.store.find(run.opened.id) ?? run
      looked = deps.clock.elapsed()
    }
    return run
  }

  const status = (): RunStatus => {
    const { opened, ended, allowed, started, directory } = fresh()
    // Once all of it is written, nothing is added: the disk need not be read again.
    const size = ended?.drained ? ended.output_bytes : Math.max(segmentEnd(directory), ended?.output_bytes ?? 0)
    const approval = approvalIn(allowed)
    if (ended) return { ...approval, ...statusIn(ended), output_bytes: size }
    const state: RunState = !deps.alive(run)
      ? // No host has come since: whoever owned its terminal may have left word how it ended.
        (endLeftIn(directory) ?? { at: 'lost', endedAt: opened.at, startedAt: started?.at ?? null, survivors: [] })
      : started
        ? { at: 'running', pid: started.pid, pidStart: started.start, startedAt: started.at }
        : { at: 'received' }
    return statusOf(state, { size, lost: 0 }, true, approval)
  }

  const over = () => fresh().ended !== null || !deps.alive(run)

  return {
    owner:
      first.opened.server.id === deps.serverId
        ? 'this_server'
        : deps.alive(first)
          ? 'another_server'
          : 'earlier_server',
    opened: first.opened,
    status,
    over,
    source: () => ({ directory: fresh().directory, size: status().output_bytes, over: over() }),
    watch(watcher) {
      const life = new Disposables()
      const again = () => {
        watcher()
        life.add(deps.clock.after(LOOK_EVERY_MS, again))
      }
      life.add(deps.clock.after(LOOK_EVERY_MS, again))
      return life
    },
    verdict: () => fresh().ended?.verdict ?? run.allowed?.verdict ?? null,
    planHash: () => run.started?.plan_hash ?? null,
    waits: () => null,
    lastWait: () => 'none',
    input: () => null,
    markWaitReported() {},
  }
}
