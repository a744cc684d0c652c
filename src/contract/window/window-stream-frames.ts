import * as z from 'zod'
import { Id } from '../field.ts'

// How a terminal's output reaches a window: the frames around the binary messages (contract/window/window-output.ts).

/** A request of the window: answered with `done` or `failed`, under its request_id. */
export const asking = { request_id: Id }
export const aboutTerminal = { ...asking, terminal_id: Id }
export const size = { cols: z.int().min(2).max(1000), rows: z.int().min(1).max(1000) }

/**
 * Shows a terminal here: answered with `watching`, then output. `have` is what this page has already of that run; without it,
 * or when too much was missed, a `snapshot` comes first.
 */
const TerminalWatch = z.object({
  type: z.literal('terminal_watch'),
  ...aboutTerminal,
  /** An older run of this terminal; null: the one that runs, else the last one. */
  run_id: Id.nullable(),
  have: z.int().min(0).nullable(),
  ...size,
})
const TerminalUnwatch = z.object({ type: z.literal('terminal_unwatch'), ...aboutTerminal })
/** The page has drawn everything of this stream up to here. The host sends at most OUTPUT_WINDOW_BYTES beyond it. */
const OutputAck = z.object({ type: z.literal('output_ack'), stream: z.int().min(0), offset: z.int().min(0) })
export const OUTPUT_WINDOW_BYTES = 1024 * 1024

/** Binary messages with this number are output of this run from now on; the next one starts at `offset`. */
const Watching = z.object({
  type: z.literal('watching'),
  ...aboutTerminal,
  stream: z.int(),
  run_id: Id,
  offset: z.int(),
  /** Bytes the run has printed so far. */
  end: z.int(),
  running: z.boolean(),
})
/** The screen as it was at `offset`, as text for a terminal: clear, write this, then go on with the output from there. */
const Snapshot = z.object({
  type: z.literal('snapshot'),
  stream: z.int(),
  screen: z.string(),
  ...size,
  offset: z.int(),
  /** Bytes before the screen that are not in it: only the log has them. */
  omitted_bytes: z.int(),
})
/** No more output comes on this stream: the run is over and all of it was sent. */
const StreamEnd = z.object({ type: z.literal('stream_end'), stream: z.int(), exit_code: z.int().nullable() })

export const FROM_WATCHER = [TerminalWatch, TerminalUnwatch, OutputAck] as const
export const TO_WATCHER = [Watching, Snapshot, StreamEnd] as const
