import * as z from 'zod'
import { RunStatements } from './receipt.ts'

/**
 * `interactive-terminal-output-v1`: one run with all of its output that is kept, for other programs. `export <run> --format json` and the
 * window's page History write it.
 */
export const OUTPUT_FORMAT = 'interactive-terminal-output-v1'

/** Bytes of one stream that came one after the other. */
export const ExportedPiece = z.object({
  stream: z.enum(['stdout', 'stderr']),
  /** Where in the output its first byte is; both streams count. */
  offset: z.int(),
  /** When its first byte came, to `timing.exact_ms`; absent: not before `run.started_at` and not after `run.ended_at`, more is not known. */
  at: z.string().optional(),
  /** UTF-8; escape sequences are in it. */
  text: z.string().optional(),
  /** Where the bytes are no UTF-8. */
  base64: z.string().optional(),
})

export const OutputExport = z.object({
  format: z.literal(OUTPUT_FORMAT),
  exported_at: z.string(),
  /** The version that wrote it. */
  made_by: z.string(),
  /** What the ledger and the journal say. Values of variables are never stored. */
  run: RunStatements,
  output: z.object({
    /** terminal: what a terminal was sent, stdout and stderr as one · pipes: both streams apart */
    from: z.enum(['terminal', 'pipes']),
    /** All that it printed, in bytes. */
    size: z.int(),
    timing: z.object({ known: z.enum(['moments', 'none']), exact_ms: z.int().optional() }),
    pieces: z.array(ExportedPiece),
    /** Byte ranges that are gone: dropped for the quota or a full disk, or let go for their age. */
    missing: z.array(z.object({ from: z.int(), to: z.int() })),
    /** It ran on when it was exported. */
    is_open: z.boolean(),
  }),
})
export type OutputExport = z.infer<typeof OutputExport>
