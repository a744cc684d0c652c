import type { Receipt, RunStatements } from '../../contract/disk/receipt.ts'
import type { JournalRow } from '../journal/journal-row.ts'
import type { RunRecord } from '../store/ledger.ts'
import { keptOutput } from './kept-output.ts'
import { type SealKey, seal } from './receipt-seal.ts'
import { journalSays, ledgerSays } from './run-statements.ts'

export interface ReceiptSources {
  /** A run as its ledger has it. `ledger`: its name below the directory of its requester. */
  readonly record: RunRecord & { readonly ledger: string }
  /** Its rows in the journal; null: they cannot be looked up here. */
  readonly rows: readonly JournalRow[] | null
  readonly key: SealKey
  readonly version: string
  readonly now: () => number
}

/** What is certain about a run, from what was written down when it happened: nothing is kept for it but that. */
export async function makeReceipt({ record, rows, key, version, now }: ReceiptSources): Promise<Receipt> {
  const { run, lines } = record
  const said = { state: 'received' as const, ...journalSays(rows ?? []), ...ledgerSays(run) } as RunStatements
  const isOver = run.ended?.drained === true
  const notKnown = whatIsNotKnown(said, { isOver, rows, key })
  return seal(
    {
      receipt: 1,
      ...said,
      ...(isOver && { output: await keptOutput(run.directory, said.output_bytes ?? 0) }),
      ledger: { name: ledgerName(run.opened.requester, record.ledger), lines: lines.map(line => ({ ...line })) },
      ...(rows && { journal: rows.map(({ kind, seq, hash }) => ({ kind, seq, hash })) }),
      ...(Object.keys(notKnown).length > 0 && { not_known: notKnown }),
      made_at: new Date(now()).toISOString(),
      made_by: version,
    },
    key,
  )
}

/** As anchors of the journal name it. */
const ledgerName = (requester: string, ledger: string): string =>
  requester === 'local' ? ledger : `clients/${requester}/${ledger}`

function whatIsNotKnown(
  said: RunStatements,
  { isOver, rows, key }: { isOver: boolean } & Pick<ReceiptSources, 'rows' | 'key'>,
): Record<string, string> {
  const ran = said.started_at !== undefined
  return {
    ...(ran && said.repository && { work_tree: 'changed files were not looked at: that takes a look at each of them' }),
    ...(ran && said.repository === undefined && { repository: 'it was not written down' }),
    ...(!isOver && { output: 'it is not over, or something still holds its output open' }),
    ...(said.lane === 'interactive' && rows === null && { journal: 'no host was there to look it up' }),
    ...('problem' in key && { seal: key.problem }),
  }
}
