import * as z from 'zod'
import { HeadlessRequest } from '../contract/headless-request.ts'
import { RequestShape } from '../contract/request.ts'
import { HeadlessResponse, InteractiveResponse } from '../contract/response.ts'

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

const HEADLESS_TEXT = `Runs one allowlisted command without a window and returns stdout, stderr and exit code.
One simple command per call, no shell: quotes work; | && ; > $ * ~ do not and are refused. Not allowlisted: PM_TERM_APPROVAL_REQUIRED, then use memory_terminal_interactive so that a person can decide.
Example: {"action":"run","command":"git log -3"}
Still running when the call returns (status "accepted")? It lives on: {"action":"read_output","session_id":"<session_id>","cursor":<cursor>,"wait_for":"exit","wait_ms":30000}. Do not run it again.`

const INTERACTIVE_TEXT = `Runs a command in a terminal the person sees; they approve what no rule covers. execute always needs invocation.mode and invocation.intent.
Example: {"action":"execute","invocation":{"mode":"interactive","intent":"execute_command"},"execution":{"command":"npm install","context":"the build needs it"}}
Read on with {"action":"read_output","target":{"session_id":"<session_id>"},"output":{"cursor":<cursor>,"wait_for":"exit","wait_ms":30000}}. PM_TERM_DECLINED means a person said no: do not retry. For quick allowlisted commands use memory_terminal.`

export function toolList(): ToolEntry[] {
  return [
    {
      name: 'memory_terminal',
      title: 'Run an allowlisted command',
      description: HEADLESS_TEXT,
      inputSchema: schemaOf(HeadlessRequest, 'input'),
      outputSchema: schemaOf(HeadlessResponse, 'output'),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      _meta: { 'anthropic/alwaysLoad': true },
    },
    {
      name: 'memory_terminal_interactive',
      title: 'Run a command a person can see and decide on',
      description: INTERACTIVE_TEXT,
      inputSchema: { ...schemaOf(RequestShape, 'input'), additionalProperties: true },
      outputSchema: schemaOf(InteractiveResponse, 'output'),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      _meta: { 'anthropic/alwaysLoad': true },
    },
  ]
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return rest
}
