import * as z from 'zod'

/** The project a command runs in, and whether rules and trust can be given for it (docs/spec.md D24). */
export const Project = z.object({
  directory: z.string(),
  /** Of the workspace it is, or would become; null: it cannot be one. */
  id: z.string().nullable(),
  /** bound: a workspace · offered: an answer can make it one · none: it can never be one. */
  kind: z.enum(['bound', 'offered', 'none']),
  trusted: z.boolean(),
  /** Why no rules can be kept for it; null: they can. */
  why_not: z.string().nullable(),
})
export type Project = z.infer<typeof Project>
