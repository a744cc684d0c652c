import { existsSync } from 'node:fs'
import { approverSigner } from '../../base/keys/approver-key.ts'
import type { Paths } from '../../config/paths.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { approverIn } from '../../host/approvers/record.ts'
import { type CountingApprover, SessionSeal } from '../../runs/journal/decisions-seal.ts'
import { readJournal } from '../../runs/journal/journal.ts'
import { askSecretly } from '../../tui/approve/terminal.ts'

const MOST_TRIES = 3
const streams = { stdin: process.stdin, stdout: process.stdout }

/**
 * A person decides something in their terminal while no host runs: with a passphrase that counts, by giving it. What it does not
 * seal would not count. null: none counts, so nothing is sealed.
 */
export async function sealHere(paths: Paths): Promise<SessionSeal | null> {
  const approver = await approverHere(paths)
  if (approver === null || approver === 'no_host_yet') return null
  const seal = new SessionSeal()
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const typed = await askSecretly(streams, 'Your passphrase, so that this counts: ')
    if (typed === null) break
    if (seal.certify(approver, approverSigner(typed, approver)(seal.message))) return seal
    streams.stdout.write('That was not the passphrase.\n')
  }
  throw new TermError('PM_TERM_APPROVAL_REQUIRED', 'The passphrase was not given. Nothing was changed.')
}

/** The passphrase that counts here by the journal. */
export async function approverHere({ journalFile }: Pick<Paths, 'journalFile'>): Promise<CountingApprover> {
  if (!existsSync(journalFile)) return 'no_host_yet'
  const journal = await readJournal(journalFile)
  try {
    return approverIn(journal)
  } finally {
    journal.close()
  }
}
