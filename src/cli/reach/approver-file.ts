import { toType } from '../../base/own-command.ts'
import { TermError } from '../../contract/tool/errors.ts'
import { approverRecordProblem } from '../../host/approvers/record.ts'

/** Where a passphrase is set so that it counts: never by a file alone, which a command could write. */
export const howToSet = (): string =>
  `in the window, under the shield ("${toType('open')}" shows it); or end the host ("${toType('stop')}") and start it in your terminal with "${toType('--passphrase')}"`

/** What is wrong with the file of the approver passphrase, and what helps; null: nothing is, or none was ever set. */
export function brokenRecord(file: string): string | null {
  const problem = approverRecordProblem(file)
  return problem === null
    ? null
    : `${file} ${problem}, so your passphrase cannot be checked. Put back a copy of it, or move it away and set a new one: ${howToSet()}.`
}

/** Nobody is asked for a new passphrase over a file that may still hold the old one. */
export function refuseBrokenRecord(file: string): void {
  const broken = brokenRecord(file)
  if (broken !== null) throw new TermError('PM_TERM_APPROVAL_REQUIRED', broken)
}
