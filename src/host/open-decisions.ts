import type { Log } from '../base/log.ts'
import type { Paths } from '../config/paths.ts'
import { SessionSeal } from '../runs/journal/decisions-seal.ts'
import type { Journal } from '../runs/journal/journal.ts'
import { ApproverRecordFile } from './approvers/record.ts'
import { HostDecisions } from './host-decisions.ts'

interface OpenDecisionsDeps {
  readonly paths: Pick<Paths, 'approverFile' | 'decisionsFile'>
  readonly journal: Journal
  readonly log: Log
  /** The journal is what it was. */
  readonly sound: boolean
  readonly alarm: (message: string) => void
  /** Another passphrase counts now. */
  readonly onPassphrase: () => void
}

const ASKED = 'Nothing that it does not seal counts before you say so on the card.'
const SEAL_ALARM = {
  wrong: `The seal of your passphrase in decisions.v1.json is wrong: something changed what you had decided, while no host ran. ${ASKED}`,
  foreign: `What you had decided is sealed by another passphrase than the one that counts here. If you did not change it, something replaced it, or the journal. ${ASKED}`,
} as const

/** What a person has decided, the passphrase by which they are known, and the seal that joins the two (ADR 46). */
export function openDecisions({ paths, journal, log, sound, alarm, onPassphrase }: OpenDecisionsDeps) {
  const seal = new SessionSeal()
  const record = new ApproverRecordFile({
    file: paths.approverFile,
    log,
    journal,
    alarm,
    onChange: onPassphrase,
    seal,
  })
  const approver = record.before
  const decided = new HostDecisions({ file: paths.decisionsFile, journal, log, sound, approver, seal })
  seal.onCertified = () => decided.sealNow()
  const { sealing } = decided
  if (sealing === 'wrong' || sealing === 'foreign') {
    log.error('the seal of what a person decided does not hold', { sealing })
    alarm(SEAL_ALARM[sealing])
  }
  return { record, decided, seal }
}
