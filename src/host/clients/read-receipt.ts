import type * as z from 'zod'
import { TermError } from '../../contract/tool/errors.ts'
import type { ReadReceipt } from '../../contract/wire/receipt-frames.ts'
import type { Journal } from '../../runs/journal/journal.ts'
import { makeReceipt } from '../../runs/receipt/make-receipt.ts'
import type { SealKey } from '../../runs/receipt/receipt-seal.ts'
import { lookAtWorkTree } from '../../runs/receipt/work-tree.ts'
import { addressOf, type Caller } from './caller.ts'
import type { HostStatusDeps } from './host-status.ts'
import { findRun, type KillDeps } from './kill-run.ts'

export interface ReceiptDeps extends Pick<KillDeps, 'clock' | 'runs' | 'terminals'> {
  readonly journal: Journal
  readonly identity: HostStatusDeps['identity']
  readonly sealKey: () => SealKey
}

/** What is certain about a run, for whoever may read it. */
export async function readReceipt(
  deps: ReceiptDeps,
  frame: z.output<typeof ReadReceipt>,
  caller: Caller,
): Promise<void> {
  const { id } = findRun(deps, frame, caller).opened
  const { requester } = caller
  const record = deps.runs.of(requester).store.record(id)
  if (!record) throw new TermError('PM_TERM_NOT_FOUND', `There is no record of ${id} any more.`)
  const receipt = await makeReceipt({
    record,
    rows: deps.journal.rowsOf(id).filter(row => row.requester === requester),
    key: deps.sealKey(),
    version: deps.identity.version,
    now: deps.clock.now,
    lookAtWorkTree,
  })
  caller.reply({ type: 'receipt_read', ...addressOf(frame), receipt })
}
