import * as z from 'zod'
import { Receipt } from '../disk/receipt.ts'
import { Id } from '../field.ts'
import { addressed } from './addressed.ts'
import { Asker } from './asker.ts'

/** What is certain about a run of one's own. */
export const ReadReceipt = z.object({
  type: z.literal('read_receipt'),
  ...addressed,
  asker: Asker.optional(),
  session_id: Id,
})

export const ReceiptRead = z.object({ type: z.literal('receipt_read'), ...addressed, receipt: Receipt })
