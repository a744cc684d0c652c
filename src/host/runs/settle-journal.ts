import type { Log } from '../../base/log.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import { outcomeOf, type RunStatus } from '../../runs/run/run-status.ts'
import { LOCAL } from '../names.ts'
import type { RequesterRuns } from './requester-runs.ts'

/** A host before this one may have died before it wrote down how its runs ended: what is known of each is written now. */
export function settleJournal(journal: Journal, runs: RequesterRuns, log: Log): void {
  runs.of(LOCAL)
  for (const { requester, runId } of journal.unended()) {
    const view = runs.of(requester).registry.find(runId)
    if (view && !view.over()) continue
    const { state, ...facts } = view ? endingOf(view.status()) : { state: 'lost' }
    const body = { state, ...facts, settled: 'by the next host' }
    log.warn('a run of an earlier host has no end in the journal', { run: runId, state })
    journal.append({ kind: 'ended', requester, runId, body })
  }
}

function endingOf(status: RunStatus) {
  const { state, exit_code, signal } = outcomeOf(status)
  return { state, exit_code, signal, approved_by: status.approvedBy ?? undefined, output_bytes: status.outputBytes }
}
