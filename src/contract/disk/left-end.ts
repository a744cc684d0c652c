import * as z from 'zod'

/** How a command ended, left by a pty-host that no host came back to. */
export const LeftEnd = z.object({
  exit_code: z.int().nullable(),
  signal: z.string().nullable(),
  at: z.number(),
  started_at: z.number(),
  /** pty-host ended it, because it ended itself. */
  killed: z.boolean(),
})
export type LeftEnd = z.infer<typeof LeftEnd>

/** Beside the directory of its output. */
export const leftEndFile = (outputDirectory: string): string => `${outputDirectory}.ended`
