import * as z from 'zod'
import { Millis, Text } from '../field.ts'

/**
 * How much of a run's output an answer carries, and what to wait for first.
 * The same fields for both tools: grouped under `output` in one, flat in the other.
 */

/** Real clients cut or put away answers from 8 to 12 KB on, and with them the word that something is missing (ADR 40). */
export const DEFAULT_OUTPUT_BYTES = 8 * 1024
// Worst case every byte becomes \u00XX twice (text and structured): still below the 10 MB at which clients hang up.
export const MOST_OUTPUT_BYTES = 512 * 1024

const SearchText = Text.refine(text => text !== '', 'must not be empty')

export const outputFields = {
  cursor: z
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .optional()
    .describe('Byte offset to read on from: the cursor of the last answer returns only what is new.'),
  wait_for: z
    .enum(['output', 'exit', 'text', 'silence'])
    .optional()
    .describe(
      'Wait until new output, the end, one of `text`, or `silence_ms` without output. run waits for exit by default.',
    ),
  wait_ms: Millis.optional().describe('read_output: longest wait in milliseconds. 0 (default): answer at once.'),
  text: z
    .union([SearchText, z.array(SearchText).min(1).max(16)])
    .optional()
    .describe('Plain text to wait for (any of a list).'),
  silence_ms: Millis.optional().describe('What counts as silence, default 1000.'),
  search: SearchText.optional().describe('Return only the lines that contain this plain text, with their offsets.'),
  view: z
    .enum(['head', 'tail', 'both'])
    .optional()
    .describe('Without cursor: which end of a long output to show. Default both.'),
  max_bytes: z
    .int('must be a whole number')
    .min(256, 'must be at least 256')
    .max(MOST_OUTPUT_BYTES, `must be at most ${MOST_OUTPUT_BYTES}`)
    .optional()
    .describe(`Budget for returned output. Default ${DEFAULT_OUTPUT_BYTES}.`),
} as const

/** What a new command may already say: timeout_ms is the wait, and there is nothing to read on from or to search. */
export const runOutputFields = {
  wait_for: outputFields.wait_for,
  text: outputFields.text,
  silence_ms: outputFields.silence_ms,
  view: outputFields.view,
  max_bytes: outputFields.max_bytes,
} as const

export const OutputOptions = z.strictObject(outputFields)
export type OutputOptions = z.infer<typeof OutputOptions>
