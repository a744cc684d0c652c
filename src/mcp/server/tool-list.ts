import * as z from 'zod'
import { CANONICAL_ACTIONS } from '../../contract/tool/aliases.ts'
import { HeadlessRequest } from '../../contract/tool/headless-request.ts'
import { RequestShape } from '../../contract/tool/request.ts'
import { HeadlessResponse, InteractiveResponse } from '../../contract/tool/response.ts'
import { inputSchema, outputSchema } from './tool-schema.ts'

/** The tools as clients list them. Written for models: what it does, when to use it, the one usual mistake. */
export interface ToolEntry {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Record<string, unknown>
  readonly outputSchema: Record<string, unknown>
  readonly annotations: Record<string, boolean>
  readonly _meta: Record<string, unknown>
}

const HEADLESS_TEXT = `Runs one allowlisted command without a window. No shell: quotes and *.txt work; | && ; > $ ~ {a,b} are refused. PM_TERM_APPROVAL_REQUIRED: a person decides, use memory_terminal_interactive.
Example: {"action":"run","command":"git log -3"}
Status "accepted": it still runs. {"action":"read_output","session_id":"<id>","cursor":<cursor>,"wait":{"until":"exit"}}; do not run it again.`

const INTERACTIVE_TEXT = `Runs a shell line in a terminal the person sees; they approve what no rule covers. execute needs invocation.mode and .intent.
Example: {"action":"execute","invocation":{"mode":"interactive","intent":"execute_command"},"execution":{"command":"npm install","context":"the build needs it"}}
Read on: {"action":"read_output","target":{"session_id":"<id>"},"output":{"cursor":<cursor>,"wait":{"until":"exit"}}}. PM_TERM_DECLINED: a person said no, do not retry. Quick allowlisted commands: memory_terminal.`

export function toolList(): ToolEntry[] {
  return [
    {
      name: 'memory_terminal',
      title: 'Run an allowlisted command',
      description: HEADLESS_TEXT,
      inputSchema: inputSchema(HeadlessRequest),
      outputSchema: outputSchema(HeadlessResponse),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      _meta: { 'anthropic/alwaysLoad': true },
    },
    {
      name: 'memory_terminal_interactive',
      title: 'Run a command a person can see and decide on',
      description: INTERACTIVE_TEXT,
      inputSchema: inputSchema(RequestShape.extend({ action: z.enum(CANONICAL_ACTIONS) })),
      outputSchema: outputSchema(InteractiveResponse),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      _meta: { 'anthropic/alwaysLoad': true },
    },
  ]
}
