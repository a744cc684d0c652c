import * as z from 'zod'

const Words = z.array(z.string()).readonly()

/** A command without its dress, as `policy/judge/same-command` reads one. */
const Reading = z.object({
  steps: z
    .array(
      z.object({
        name: z.string(),
        path: z.string().nullable(),
        cwd: z.string(),
        words: Words,
        globs: z.array(z.int()).readonly(),
        sets: Words,
        inputs: Words,
        joinedBy: z.string(),
      }),
    )
    .readonly(),
  isWhole: z.boolean(),
  text: z.string(),
  cwd: z.string(),
  env: Words,
})

/** What the person declined for the rest of the day, for servers: it only takes away what a rule allows. */
export const KeptDeclinesFile = z.object({
  v: z.literal(1),
  kept: z.array(
    z.object({
      covers: z.enum(['project', 'agent']),
      directory: z.string(),
      client: z.string(),
      reason: z.string().nullable(),
      since: z.number(),
      until: z.number(),
      reading: Reading,
    }),
  ),
})
export type KeptDeclinesFile = z.infer<typeof KeptDeclinesFile>
