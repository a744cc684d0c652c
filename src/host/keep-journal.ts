import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { ensureKeyFile } from '../base/keys/key-file.ts'
import type { Log } from '../base/log.ts'
import type { Configuration } from '../config/settings.ts'
import type { Journal } from '../runs/journal/journal.ts'
import type { StillOpen } from '../runs/journal/needed-rows.ts'
import { removalKey } from '../runs/journal/removal-seal.ts'
import { retiredIn } from '../runs/store/verify-ledgers.ts'
import type { ApprovalQueue } from './questions/approval-queue.ts'
import type { ScopedRules } from './questions/scoped-rules.ts'

const FIRST_MS = 10_000
const EVERY_MS = 60 * 60_000
/** Between the row of a question and the question lies a moment. */
const SLACK_MS = 60_000
/** A slice takes some milliseconds. Others have most of the time. */
const REST_MS = 25

interface KeepDeps {
  readonly clock: Clock
  readonly log: Log
  readonly journal: Pick<Journal, 'shorten'>
  readonly configuration: Configuration
  readonly queue: Pick<ApprovalQueue, 'pending'>
  readonly scoped: Pick<ScopedRules, 'held'>
}

/** Lets go of rows of the journal that are too old or too many (ADR 63): soon after the start, and every hour. */
export function keepJournal({ clock, log, journal, configuration, queue, scoped }: KeepDeps): Disposable {
  const { settings, paths } = configuration
  const startedAt = clock.now()
  let over = false
  const stillOpen = (): StillOpen => ({
    askedSince: Math.min(...queue.pending.map(({ asked_at }) => Date.parse(asked_at))) - SLACK_MS,
    heldSince: scoped.held().length > 0 ? startedAt : Number.POSITIVE_INFINITY,
  })
  const rest = () => new Promise<boolean>(resolve => clock.after(REST_MS, () => resolve(!over)))

  const shorten = async () => {
    try {
      const retired = retiredIn(paths.stateDir)
      await journal.shorten({
        limits: { days: settings.PM_TERM_JOURNAL_DAYS, mb: settings.PM_TERM_JOURNAL_MB },
        key: removalKey(ensureKeyFile(paths.hostKeyFile)),
        now: clock.now,
        open: stillOpen,
        isRetired: ledger => retired.has(ledger),
        rest,
      })
    } catch (cause) {
      log.error('old rows of the journal could not be removed', { cause })
    }
    if (!over) timer = clock.after(EVERY_MS, () => void shorten())
  }
  let timer = clock.after(FIRST_MS, () => void shorten())
  return {
    dispose() {
      over = true
      timer.dispose()
    },
  }
}
