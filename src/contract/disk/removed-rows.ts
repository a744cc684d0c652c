import * as z from 'zod'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Seq = z.int().min(1)

/** Rows that went, with the hash of the row before them and of the last of them: the chain goes on across the gap. */
export const RemovedRange = z.object({ from: Seq, to: Seq, prev: Hash, hash: Hash })
export type RemovedRange = z.infer<typeof RemovedRange>

/** The body of a `rows_removed` row: everything that retention has ever removed. The newest one counts (ADR 63). */
export const RemovedRows = z.object({
  /** The newest row that went. */
  last: z.object({ seq: Seq, hash: Hash }),
  rows: Seq,
  first_at: z.int(),
  last_at: z.int(),
  because: z.enum(['age', 'size']),
  limits: z.object({ days: z.number(), mb: z.number() }),
  /** In order; more than one where a row that is still needed stands in between. */
  ranges: z.array(RemovedRange).min(1),
  /** What hosts had found wrong with the journal, in rows that went. */
  found: z.object({ problem: z.string().nullable(), gaps: z.array(z.string()) }),
})
export type RemovedRows = z.infer<typeof RemovedRows>

/** With the seal of a host: whoever can only write the journal cannot say that retention took what they took. */
export const SealedRemoval = RemovedRows.extend({ seal: Hash })
export type SealedRemoval = z.infer<typeof SealedRemoval>
