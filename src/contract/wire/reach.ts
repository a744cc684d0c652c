import * as z from 'zod'
import { FAR, NEAR } from '../verdict-words.ts'

const REACHED = [...FAR, ...NEAR] as const
export type Reached = (typeof REACHED)[number]

/** An effect in words, for whoever decides: it never changes the verdict. */
export const Reach = z.object({
  what: z.enum(REACHED),
  words: z.string().describe('What does it, and what it does: "sudo acts as root".'),
})
export type Reach = z.infer<typeof Reach>
