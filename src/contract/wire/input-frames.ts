import * as z from 'zod'
import { Context, Id, Millis } from '../field.ts'
import { InputPieces } from '../tool/input.ts'
import { OutputOptions } from '../tool/output-options.ts'
import { addressed } from './addressed.ts'
import { Asker } from './asker.ts'

/** Asks to type something into a program that runs. Answered with `output` of its run, once it was typed and the program has taken it. */
export const InputRequest = z.object({
  type: z.literal('input_request'),
  ...addressed,
  asker: Asker.optional(),
  session_id: Id.optional(),
  terminal_id: Id.optional(),
  input: InputPieces,
  context: Context.optional(),
  approval_timeout_ms: Millis.optional(),
  output: OutputOptions.optional(),
})
export type InputRequest = z.infer<typeof InputRequest>
