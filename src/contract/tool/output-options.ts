import * as z from 'zod'
import { oldWaitFields, Pattern, Wait } from './wait.ts'

/**
 * How much of a run's output an answer carries, and what to wait for first.
 * The same fields for both tools: grouped under `output` in one, flat in the other.
 */

/** Real clients cut or put away answers from 8 to 12 KB on, and with them the word that something is missing: the whole text stays below 8 (ADR 40). */
export const DEFAULT_OUTPUT_BYTES = 7 * 1024
// Worst case every byte becomes \u00XX twice (text and structured): still below the 10 MB at which clients hang up.
export const MOST_OUTPUT_BYTES = 512 * 1024

export const FORMATS = ['text', 'raw', 'screen'] as const
const MOST_CONTEXT_LINES = 20

export const outputFields = {
  cursor: z.int('must be a whole number').min(0, 'must not be negative').optional(),
  wait: Wait.optional(),
  ...oldWaitFields,
  search: Pattern.optional().describe('Lines with this regex.'),
  context_lines: z
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .max(MOST_CONTEXT_LINES, `must be at most ${MOST_CONTEXT_LINES}`)
    .optional(),
  format: z.enum(FORMATS).optional().describe('raw: base64.'),
  view: z.enum(['head', 'tail', 'both']).optional(),
  max_bytes: z
    .int('must be a whole number')
    .min(256, 'must be at least 256')
    .max(MOST_OUTPUT_BYTES, `must be at most ${MOST_OUTPUT_BYTES}`)
    .optional(),
} as const

/** What a new command may already say: timeout_ms is the wait, and there is nothing to read on from or to search. */
export const runOutputFields = {
  wait: outputFields.wait,
  wait_for: outputFields.wait_for,
  text: outputFields.text,
  silence_ms: outputFields.silence_ms,
  format: outputFields.format,
  view: outputFields.view,
  max_bytes: outputFields.max_bytes,
} as const

export const OutputOptions = z.strictObject(outputFields)
export type OutputOptions = z.infer<typeof OutputOptions>
