import { systemClock } from '../../base/clock.ts'
import type { Configuration } from '../../config/settings.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { approverIn } from '../../host/approvers/record.ts'
import { Decisions, NOTHING_DECIDED } from '../../policy/files/decisions.ts'
import { DecisionsCopy } from '../../runs/journal/decisions-copy.ts'
import { believedOf } from '../../runs/journal/decisions-seal.ts'
import { openJournal } from '../../runs/journal/journal.ts'
import type { VOUCHING_KINDS } from '../../runs/journal/journal-row.ts'
import { takeHostLock } from '../reach/host-lock.ts'
import { sealHere } from './seal-here.ts'

/** What a person decides in their terminal, while no host runs. */
export interface Act {
  readonly kind: Exclude<(typeof VOUCHING_KINDS)[number], 'host_ended'>
  readonly body: Readonly<Record<string, unknown>>
  /** What only takes away needs nobody's passphrase. */
  readonly widens: boolean
  readonly decide: (decisions: Decisions) => unknown
  /** What follows from it, on disk. */
  readonly effect: (decisions: Decisions) => void
}

/**
 * Writes it into the journal, into the copy for servers, and makes it: in this order. It holds the host's place meanwhile, so
 * that nobody who hides a running host from this command changes anything past it (ADR 44).
 */
export async function decideHere({ paths }: Configuration, act: Act): Promise<'done' | 'a host runs'> {
  // Asked before the place is held: a host may start meanwhile, and then it is its question.
  if (act.widens && !(await isFree(paths.hostFile))) return 'a host runs'
  const seal = act.widens ? await sealHere(paths) : null

  const lock = await takeHostLock(paths.hostFile)
  if (lock === null) return 'a host runs'
  try {
    const journal = await openJournal(paths.journalFile, systemClock.now)
    try {
      const copy = new DecisionsCopy(paths.decisionsFile)
      const found = copy.read()
      const approver = approverIn(journal)
      if (act.widens && approver !== null && approver !== 'no_host_yet' && !seal?.isFor(approver)) throw notSealed()

      const sound = journal.headFinding().journal_problem === undefined
      const before = sound ? believedOf(found, { approver, vouching: journal.vouching() }) : null
      const decisions = new Decisions(before ?? NOTHING_DECIDED)
      act.decide(decisions)

      const { now, digest } = decisions
      journal.append({ kind: act.kind, requester: null, runId: null, body: { ...act.body, decided: digest } })
      // What was sealed before still counts; what was taken away since is in no file any more.
      const sealed = seal?.seal(now) ?? found?.sealed
      copy.write({ v: 1, now, ended: now, ...(sealed && { sealed }) })
      act.effect(decisions)
      return 'done'
    } finally {
      journal.close()
    }
  } finally {
    lock.release()
  }
}

async function isFree(hostFile: string): Promise<boolean> {
  const lock = await takeHostLock(hostFile)
  lock?.release()
  return lock !== null
}

const notSealed = (): TermError =>
  new TermError(
    'PM_TERM_APPROVAL_REQUIRED',
    'Another passphrase counts since a moment ago. Nothing was changed: try again.',
  )

export const hostHidden = (): TermError =>
  new TermError(
    'PM_TERM_APPROVAL_REQUIRED',
    'A host runs, and this command does not reach it: nothing was changed. Answer the question in its window, or end the host first.',
  )
