import * as z from 'zod'
import { Command, Context, Env, Id, Millis, Path, Text, WorkspaceId } from '../field.ts'
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

// Terminals that an editor owns: the host starts nothing there, so what it has approved is carried out by the editor's extension,
// once, under a permit.

/** How an editor knows where a terminal of its own stands. */
export const DIRECTORY_KNOWN = ['told_by_shell', 'where_it_began'] as const

/** A tab of the editor: its name, in which editor, whether it opens only now, and how its directory is known. */
export const EditorTerminal = z.object({
  name: z.string(),
  editor: z.string(),
  opens: z.boolean(),
  directory_known: z.enum(DIRECTORY_KNOWN),
})

/** Asks whether this line may be typed into a terminal of the editor, or one be opened. Only the person's own programs may ask. */
export const PermitRequest = z.object({
  type: z.literal('permit_request'),
  ...addressed,
  asker: Asker.optional(),
  intent: z.enum(['execute_command', 'open_only']),
  /** The editor's own id for it, and what the person sees on its tab. */
  terminal_id: Id,
  terminal_name: Text,
  /** The terminal does not exist yet: an approval opens it as well. */
  opens: z.boolean(),
  /** Of a new terminal. */
  env: Env.optional(),
  /** The shell in it; missing: the editor does not say. */
  shell: Path.optional(),
  command: Command.optional(),
  working_directory: Path,
  directory_known: z.enum(DIRECTORY_KNOWN),
  workspace_id: WorkspaceId.optional(),
  context: Context.optional(),
  approval_timeout_ms: Millis.optional(),
})
export type PermitRequest = z.infer<typeof PermitRequest>

/** Good once, for this line in this terminal, for whoever asked. */
export const Permit = z.object({
  permit_id: Id,
  /** Of what was judged and shown: the line, its terminal, and the files behind it. */
  plan_hash: z.string(),
  terminal_id: Id,
  /** What may be typed: the person may have changed it. null: nothing, a terminal is opened. */
  command: z.string().nullable(),
  expires_in_ms: z.int(),
})
export type Permit = z.infer<typeof Permit>

/** It may be done. Anything else is an `error` with its code: declined, expired, refused, nobody there. */
export const PermitAnswered = z.object({
  type: z.literal('permit_answered'),
  ...addressed,
  permit: Permit,
  /** allowed: a rule of the person's covers it. */
  authorization: z.enum(['allowed', 'allowed_with_warning']),
  /** What the asker has to know though it may be done. */
  warnings: z.array(z.string()),
})
export type PermitAnswered = z.infer<typeof PermitAnswered>

/** It is about to be done. Only after `permit_used` may it be: then nobody else can, and the journal knows. */
export const PermitUse = z.object({
  type: z.literal('permit_use'),
  ...addressed,
  permit_id: Id,
  plan_hash: z.string(),
  terminal_id: Id,
})
export type PermitUse = z.infer<typeof PermitUse>
export const PermitUsed = z.object({ type: z.literal('permit_used'), ...addressed, permit_id: Id })

export const ABOUT_PERMITS = [PermitRequest, PermitUse] as const
export const PERMIT_ANSWERS = [PermitAnswered, PermitUsed] as const
