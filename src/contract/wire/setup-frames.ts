import * as z from 'zod'
import { Millis, Path, Text } from '../field.ts'
import { addressed, answered } from './addressed.ts'

/** A client's own files are to be changed by `setup`: while a host runs that is a question like any other (docs/spec.md §2.10). */
/** One file, and its change line by line: those with + come, those with - go, the others stay. */
export const SetupFile = z.object({ file: Path, lines: z.array(Text).max(2000) })
export type SetupFile = z.infer<typeof SetupFile>

/** Asks the person. Only their own programs may ask; whoever asked writes the files after the approval. */
export const SetupRequest = z.object({
  type: z.literal('setup_request'),
  ...addressed,
  /** Whose files: "Claude Code". */
  target: Text,
  files: z.array(SetupFile).min(1).max(16),
  approval_timeout_ms: Millis.optional(),
})

export const SetupAnswered = z.object({
  type: z.literal('setup_answered'),
  ...addressed,
  ...answered,
})
