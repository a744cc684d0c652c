import type { RunStatements } from '../../contract/disk/receipt.ts'
import type { JournalRow } from '../journal/journal-row.ts'
import type { OutputSource } from '../output/output-text.ts'

/** What every form of an export is made of. */
export interface ExportedRun {
  readonly said: RunStatements
  /** How large its terminal was when it started; null: it had none, or that was not written down. */
  readonly size: { readonly cols: number; readonly rows: number } | null
  /** Its rows in the journal. */
  readonly rows: readonly JournalRow[]
  readonly source: OutputSource
  /** In milliseconds since 1970. */
  readonly now: number
  readonly version: string
}
