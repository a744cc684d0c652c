import type { Clock } from '../../base/clock.ts'
import type { RunOutcome } from '../../contract/disk/run-record.ts'
import type { HistoryFilter, HistoryOutcome } from '../../contract/window/history-frames.ts'
import { breathe } from '../store/evict-runs.ts'
import type { StoredRun } from '../store/ledger.ts'
import type { RunWalk } from './run-walk.ts'

/** Longer nobody else waits for their turn. */
const TURN_MS = 8

export interface FoundRun {
  readonly run: StoredRun
  readonly outcome: RunOutcome
}

export interface HistoryPage {
  readonly found: readonly FoundRun[]
  readonly looked: number
  /** There are no more. */
  readonly isEnd: boolean
}

/** The next runs of a walk that are wanted: so many at most, and as many as are found in this time. */
export async function historyPage(
  walk: Pick<RunWalk, 'next'>,
  filter: HistoryFilter,
  {
    most,
    withinMs,
    clock,
    outcomeOf,
  }: {
    readonly most: number
    readonly withinMs: number
    readonly clock: Clock
    /** null: it is gone meanwhile. */
    readonly outcomeOf: (run: StoredRun) => RunOutcome | null
  },
): Promise<HistoryPage> {
  const found: FoundRun[] = []
  const wants = wanted(filter)
  const began = clock.elapsed()
  let turn = began
  let looked = 0

  while (found.length < most && clock.elapsed() - began < withinMs) {
    const run = await walk.next()
    if (run === null) return { found, looked, isEnd: true }
    looked += 1
    // Whether somebody still sees it through is looked up only where all else fits.
    if (wants.run(run)) {
      const outcome = outcomeOf(run)
      if (outcome && wants.outcome(outcome)) found.push({ run, outcome })
    }

    if (clock.elapsed() - turn < TURN_MS) continue
    await breathe()
    turn = clock.elapsed()
  }
  return { found, looked, isEnd: false }
}

function wanted({ lane, outcome, agent, project, command }: HistoryFilter) {
  const [hasAgent, hasProject, hasCommand] = [agent, project, command].map(partOf) as [
    TextFilter,
    TextFilter,
    TextFilter,
  ]
  return {
    run: ({ opened, allowed, started, ended }: StoredRun): boolean =>
      (lane === null || opened.lane === lane) &&
      hasAgent([opened.client, opened.requester]) &&
      hasProject([opened.workspace_id, ended?.cwd ?? started?.cwd ?? opened.cwd]) &&
      hasCommand([
        [opened.command, ...(opened.args ?? [])].join(' '),
        ended?.command_executed ?? allowed?.command_executed,
      ]),
    outcome: (each: RunOutcome): boolean => outcome === null || outcomeGroup(each) === outcome,
  }
}

type TextFilter = (texts: readonly (string | null | undefined)[]) => boolean

function partOf(part: string): TextFilter {
  const sought = part.toLowerCase()
  return texts => sought === '' || texts.some(text => text?.toLowerCase().includes(sought))
}

export function outcomeGroup({ state, exit_code, signal }: RunOutcome): HistoryOutcome {
  switch (state) {
    case 'received':
    case 'awaiting_approval':
    case 'running':
      return 'open'
    case 'exited':
      return exit_code === 0 && signal === null ? 'succeeded' : 'failed'
    case 'killed':
    case 'timed_out':
      return 'ended'
    case 'failed':
      return 'not_started'
    case 'lost':
    case 'declined':
    case 'expired':
    case 'withdrawn':
    case 'blocked':
      return state
  }
}
