import type { Receipt, RunStatements } from '../../contract/disk/receipt.ts'
import type { JournalRow } from '../journal/journal-row.ts'
import type { RunRecord } from '../store/ledger.ts'
import { keptOutput } from './kept-output.ts'
import { type SealKey, seal } from './receipt-seal.ts'
import { journalSays, ledgerSays } from './run-statements.ts'
import type { WorkTreeLook } from './work-tree.ts'

export interface ReceiptSources {
  /** A run as its ledger has it. `ledger`: its name below the directory of its requester. */
  readonly record: RunRecord & { readonly ledger: string }
  /** Its rows in the journal; null: they cannot be looked up here. */
  readonly rows: readonly JournalRow[] | null
  readonly key: SealKey
  readonly version: string
  readonly now: () => number
  /** Looks at what is changed in a work tree now; null: nobody does. */
  readonly lookAtWorkTree: ((top: string) => Promise<WorkTreeLook>) | null
}

/** What is certain about a run, from what was written down when it happened: nothing is kept for it but that. */
export async function makeReceipt({
  record,
  rows,
  key,
  version,
  now,
  lookAtWorkTree,
}: ReceiptSources): Promise<Receipt> {
  const { run, lines } = record
  const said = { state: 'received' as const, ...journalSays(rows ?? []), ...ledgerSays(run) } as RunStatements
  const isOver = run.ended?.drained === true
  const top = said.started_at === undefined ? undefined : said.repository?.top
  const tree = top === undefined ? undefined : await lookAtWorkTree?.(top)
  const notKnown = whatIsNotKnown(said, { isOver, rows, key, tree })
  return seal(
    {
      receipt: 1,
      ...said,
      ...(isOver && { output: await keptOutput(run.directory, said.output_bytes ?? 0) }),
      ...(tree &&
        'sha256' in tree && { work_tree: { taken: 'when_read', taken_at: new Date(now()).toISOString(), ...tree } }),
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
  {
    isOver,
    rows,
    key,
    tree,
  }: { isOver: boolean; tree: WorkTreeLook | undefined } & Pick<ReceiptSources, 'rows' | 'key'>,
): Record<string, string> {
  const ran = said.started_at !== undefined
  return {
    ...(tree && 'problem' in tree && { work_tree: tree.problem }),
    ...(ran && said.repository === undefined && { repository: 'it was not written down' }),
    ...(!isOver && { output: 'it is not over, or something still holds its output open' }),
    ...(said.lane === 'interactive' && rows === null && { journal: 'no host was there to look it up' }),
    ...('problem' in key && { seal: key.problem }),
  }
}
