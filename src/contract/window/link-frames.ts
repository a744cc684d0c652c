import * as z from 'zod'
import { asking } from '../wire/terminal-frames.ts'

/** Opens an address of the web in the person's own browser. `failed`: there is none, and why. */
export const LinkOpen = z.strictObject({
  type: z.literal('link_open'),
  ...asking,
  url: z
    .string()
    .max(8192)
    .regex(/^https?:\/\/[\x21-\x7e]+$/, 'must be an address of the web'),
})
