import * as z from 'zod'

/** Rows of one `found` question. */
export const FOUND_MOST = 500

/** What a `found` question says beside what every question says. */
export const Found = {
  /** start: all that differs from the last orderly end · now: it turned up while the host runs. */
  when: z.enum(['start', 'now']),
  rows: z.array(
    z.object({
      id: z.string(),
      what: z.enum(['workspace', 'rule', 'pairing', 'program']),
      text: z.string(),
      /** What it would mean, in our words. */
      means: z.string(),
      /** It is in this file. */
      file: z.string(),
    }),
  ),
  /** Rows that did not fit: they come after these. */
  more: z.int(),
}
