import type { TreeKillerDeps } from '../base/process/kill-tree.ts'
import type { PtyHealth } from '../base/process/pty.ts'
import type { Journal } from '../runs/journal/journal.ts'
import type { HostDeps } from './host.ts'
import { RunJournal } from './runs/journal.ts'
import { RequesterRuns } from './runs/requester-runs.ts'
import { endingOf, fateOf } from './runs/take-back.ts'

const MB = 1024 * 1024

/** The runs of every requester, with what the journal and pty-host know of those that an earlier host left. */
export function openRuns(deps: {
  readonly host: Pick<HostDeps, 'configuration' | 'clock' | 'log' | 'version'>
  readonly killer: TreeKillerDeps
  readonly journal: Journal
  readonly health: PtyHealth
  readonly instanceId: string
  readonly pid: number
}): RequesterRuns {
  const { host, killer, journal, health, instanceId, pid } = deps
  const { clock, log, configuration } = host
  const { settings, paths } = configuration
  return new RequesterRuns({
    stateDir: paths.stateDir,
    hostId: instanceId,
    clock,
    log,
    killer,
    host: { pid, start: killer.table.row(pid)?.start ?? null, version: host.version },
    quotaBytes: settings.PM_TERM_OUTPUT_QUOTA_MB * MB,
    totalBytes: settings.PM_TERM_OUTPUT_TOTAL_MB * MB,
    retentionDays: settings.PM_TERM_RETENTION_DAYS,
    graceMs: settings.PM_TERM_KILL_GRACE_MS,
    fateOf: (requester, run) => fateOf({ journal, health, now: clock.now }, requester, run),
    onSettled: (requester, { opened, ended }) =>
      ended &&
      new RunJournal({ journal, log }).appendBestEffort('ended', { requester, runId: opened.id }, endingOf(ended)),
  })
}
