import { bootId } from '../base/process/process-table.ts'
import { openJournal } from '../runs/journal/journal.ts'
import { ApproverAdmissions } from './approvers/admissions.ts'
import { predecessorIn } from './approvers/predecessor.ts'
import type { HostDeps } from './host.ts'
import { openDecisions } from './open-decisions.ts'
import { recordStart } from './record-start.ts'

/** Another program that writes to the journal is done in no time; one that holds it must not hold up everything else. */
const JOURNAL_PATIENCE_MS = 500

export type HostRecords = Awaited<ReturnType<typeof openRecords>>

/** What earlier hosts wrote down, who may answer by it, and the first rows of this one. */
export async function openRecords(deps: HostDeps, instanceId: string, onPassphrase: () => void) {
  const { clock, ids, log, version } = deps
  const { paths } = deps.configuration
  const { pid, platform } = process
  const journal = await openJournal(
    paths.journalFile,
    clock.now,
    cause => log.error('the journal cannot be written', { cause }),
    JOURNAL_PATIENCE_MS,
  )

  const boot = bootId(platform)
  const before = predecessorIn(journal, boot)
  const sound = recordStart({ journal, log }, { instance_id: instanceId, pid, version, boot }, deps.here)

  const admissions = new ApproverAdmissions({ clock, ids })
  const alarm = (message: string) => admissions.alarm(message)
  return { journal, before, admissions, alarm, ...openDecisions({ paths, journal, log, sound, alarm, onPassphrase }) }
}
