import * as z from 'zod'
import { EDITOR_ACTIONS } from './editor-request.ts'
import { ErrorBody, Fallback } from './response.ts'

/** What memory_terminal_vscode answers. Absent is absent: a field that does not apply is not sent. */

const EditorTerminalItem = z.object({
  terminal_id: z.string(),
  name: z.string(),
  state: z.enum(['open', 'busy', 'closed']),
  /** Where its shell says it is; absent: it does not say. */
  cwd: z.string().optional(),
  /** The editor hears where a command begins and ends in it. */
  shell_integration: z.boolean(),
  last_command: z.string().optional(),
  last_exit_code: z.int().optional(),
  closed_by: z.enum(['agent', 'person', 'shell']).optional(),
})
export type EditorTerminalItem = z.infer<typeof EditorTerminalItem>

export const EditorResponse = z.object({
  success: z.boolean(),
  action: z.enum(EDITOR_ACTIONS).nullable(),
  /** accepted: it was typed, and runs on. */
  status: z.enum(['accepted', 'completed', 'failed']),
  terminal_id: z.string().nullable(),
  /** What ran: the person may have changed the line. */
  command: z.string().optional(),
  authorization: z.enum(['allowed', 'allowed_with_warning']).optional(),
  running: z.boolean().optional(),
  /** Absent: not known, and `note` says why. */
  exit_code: z.int().optional(),
  /** What was printed, as text; absent: not known. */
  output: z.string().optional(),
  omitted_bytes: z.int().optional(),
  terminals: z.array(EditorTerminalItem).optional(),
  warnings: z.array(z.string()),
  note: z.string().nullable(),
  error: ErrorBody.nullable(),
  fallback: Fallback.optional(),
})
export type EditorResponse = z.infer<typeof EditorResponse>
