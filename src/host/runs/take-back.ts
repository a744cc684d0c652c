import type { Log } from '../../base/log.ts'
import type { FoundPty, PtyHealth } from '../../base/process/pty.ts'
import type { StartedLine } from '../../contract/disk/run-record.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import type { JournalRow } from '../../runs/journal/journal-row.ts'
import { endLeftIn } from '../../runs/run/left-end.ts'
import type { Run } from '../../runs/run/run.ts'
import { RUN_VARIABLE } from '../../runs/run/run-registry.ts'
import type { RunState } from '../../runs/run/run-state.ts'
import type { StoredRun } from '../../runs/store/ledger.ts'
import { RunJournal } from './journal.ts'
import type { RequesterRuns } from './requester-runs.ts'

/**
 * After a host died: what pty-host kept is taken back under its old id, whatever else was left is reported as it is.
 *
 *   in pty-host, no end written   →  taken back, running or with the end that pty-host saw
 *   asked, not answered           →  withdrawn: nothing ran
 *   declined                      →  declined
 *   approved, not started         →  failed: nothing ran, and nothing will
 *   pty-host waited in vain       →  the end it has left: exited, or killed with it
 *   started, not in pty-host      →  lost, with its output and those of it that live
 */
export function takeBack(
  deps: { readonly journal: Journal; readonly log: Log; readonly runs: RequesterRuns },
  found: readonly FoundPty[],
  resume: (run: Run, pty: FoundPty) => void,
): void {
  const { journal, log, runs } = deps
  const records = new RunJournal(deps)
  for (const { pty, stored, run } of runs.takeOver(found, startedAs(journal))) {
    const { requester, runId, process: child } = pty
    const about = { requester, runId }
    if (run) {
      if (!rowsOf(journal, about).some(row => row.kind === 'started'))
        records.appendBestEffort('started', about, { pid: child.pid, approved_by: run.approvedBy })
      records.appendBestEffort('taken_back', about, { pid: child.pid, output_bytes: child.output.size })
      resume(run, pty)
      continue
    }
    if (!stored) log.error('pty-host runs what nobody has written down: it is ended', { run: runId })
    // Its end was written; the host died before it could say so everywhere.
    else if (stored.ended && !rowsOf(journal, about).some(row => row.kind === 'ended'))
      records.appendBestEffort('ended', about, endingOf(stored.ended))
    void child.kill(0)
    void child.ended.then(() => child.forget())
  }
}

/** How a run is that an earlier host opened, that nobody saw end, and that pty-host does not have. */
export function fateOf(
  deps: { readonly journal: Journal; readonly health: PtyHealth; readonly now: () => number },
  requester: string,
  { opened, started, directory }: StoredRun,
): RunState | null {
  const left = endLeftIn(directory)
  if (left || started) return left
  const { journal } = deps
  const rows = rowsOf(journal, { requester, runId: opened.id })
  const endedAt = deps.now()
  const neverStarted = {
    at: 'failed',
    problem: 'the host ended before it was started. Nothing ran.',
    fault: 'ours',
    endedAt,
  } as const
  const starting = rows.find(row => row.kind === 'starting')
  if (starting) {
    // Typed into a shell at once: nobody knows whether it began.
    if (starting.body.typed_into !== undefined) return null
    // The very pty-host that would have been sent it is here and does not know of it: it never was.
    const health = deps.health.now()
    const [newest] = journal.newest('pty_host_started', 1)
    const same = health.at === 'up' && newest?.body.pid === health.pid && newest.seq < starting.seq
    return same ? neverStarted : null
  }
  const answer = rows.findLast(row => row.kind === 'answered')?.body
  if (answer?.kind === 'decline') return { at: 'declined', reason: (answer.reason as string | null) ?? null, endedAt }
  const asked = rows.some(row => row.kind === 'asked')
  return asked && !answer ? { at: 'withdrawn', by: 'host_ends', endedAt } : neverStarted
}

/** Killed between the start and the line that says so, a host has still written down what it was about to start. */
const startedAs =
  (journal: Journal) =>
  (stored: StoredRun, pty: FoundPty): StartedLine => {
    const starting = rowsOf(journal, pty).find(row => row.kind === 'starting')
    const { pid, pidStart: start, owner, startedAt: at } = pty.process
    return {
      type: 'started',
      id: stored.opened.id,
      pid,
      start,
      mark: `${RUN_VARIABLE}=${stored.opened.id}`,
      executable: String(starting?.body.executable ?? ''),
      plan_hash: String(starting?.body.plan_hash ?? ''),
      at,
      ...(owner && { pty_host: owner }),
      ...(typeof starting?.body.kill_after_ms === 'number' && { kill_after_ms: starting.body.kill_after_ms }),
    }
  }

export const endingOf = (ended: NonNullable<StoredRun['ended']>): Record<string, unknown> => {
  const { state, exit_code, signal, ended_by, why, reason, output_bytes, took_ms } = ended
  return { state, exit_code, signal, ended_by, why, ...(reason !== undefined && { reason }), output_bytes, took_ms }
}

const rowsOf = (journal: Journal, about: { requester: string; runId: string }): JournalRow[] =>
  journal.rowsOf(about.runId).filter(row => row.requester === about.requester)
