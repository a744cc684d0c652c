import type { Log } from '../../base/log.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import { outcomeOf } from '../../runs/run/ended-line.ts'
import { LOCAL } from '../names.ts'
import type { RequesterRuns } from './requester-runs.ts'

/** A host before this one may have died before it wrote down how its runs ended: what is known of each is written now. */
export function settleJournal(journal: Journal, runs: RequesterRuns, log: Log): void {
  runs.of(LOCAL)
  for (const { requester, runId } of journal.unended()) {
    const view = runs.of(requester).registry.find(runId)
    if (view && !view.over()) continue
    const status = view?.status()
    const { state, exit_code, signal } = status ? outcomeOf(status) : { state: 'lost' as const }
    const { approved_by, output_bytes } = status ?? {}
    const body = { state, exit_code, signal, approved_by, output_bytes, settled: 'by the next host' }
    log.warn('a run of an earlier host has no end in the journal', { run: runId, state })
    journal.append({ kind: 'ended', requester, runId, body })
  }
}
