import * as z from 'zod'

/** How far a command reaches beyond the project it runs in. */
export const REACHED = [
  'root',
  'whole_machine',
  'another_machine',
  'infrastructure',
  'shared_data',
  'everybody',
  'outside_project',
] as const
export type Reached = (typeof REACHED)[number]

/** A mark, for whoever decides: it never changes the verdict. */
export const Reach = z.object({
  what: z.enum(REACHED),
  words: z.string().describe('What does it, and what it does: "sudo acts as root".'),
})
export type Reach = z.infer<typeof Reach>
