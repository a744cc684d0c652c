import * as z from 'zod'
import { DAY_MS } from '../../contract/field.ts'
import { HeadlessRequest } from '../../contract/tool/headless-request.ts'
import { FLAT_FIELDS, RequestShape } from '../../contract/tool/request.ts'
import { HeadlessResponse, InteractiveResponse } from '../../contract/tool/response.ts'
import { OLD_WAIT_FIELDS } from '../../contract/tool/wait.ts'

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
One simple command per call, no shell: quotes and wildcards (*.txt) work; | && ; > $ ~ {a,b} are refused. Not allowlisted: PM_TERM_APPROVAL_REQUIRED, then use memory_terminal_interactive so that a person can decide.
Example: {"action":"run","command":"git log -3"}
Still running when the call returns (status "accepted")? It lives on: {"action":"read_output","session_id":"<session_id>","cursor":<cursor>,"wait":{"until":"exit"}}. Do not run it again.`

const INTERACTIVE_TEXT = `Runs a command in a terminal the person sees; they approve what no rule covers. execute always needs invocation.mode and invocation.intent.
Example: {"action":"execute","invocation":{"mode":"interactive","intent":"execute_command"},"execution":{"command":"npm install","context":"the build needs it"}}
Read on with {"action":"read_output","target":{"session_id":"<session_id>"},"output":{"cursor":<cursor>,"wait":{"until":"exit"}}}. PM_TERM_DECLINED means a person said no: do not retry. For quick allowlisted commands use memory_terminal.`

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
      inputSchema: withFlatFields(schemaOf(RequestShape, 'input')),
      outputSchema: schemaOf(InteractiveResponse, 'output'),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      _meta: { 'anthropic/alwaysLoad': true },
    },
  ]
}

type JsonSchema = Record<string, unknown> & { readonly properties?: Readonly<Record<string, JsonSchema>> }

/**
 * Providers hand these schemas to models and to grammar compilers, and some refuse every message because of one keyword
 * they do not know. What is said here is plain; the exact checks are made by the code that reads the request.
 */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      delete jsonSchema.pattern
      delete jsonSchema.propertyNames
      // Taken as before, and nothing that a model should learn.
      for (const name of OLD_WAIT_FIELDS) delete jsonSchema.properties?.[name]
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER || jsonSchema.maximum === DAY_MS) delete jsonSchema.maximum
      if (io === 'input') {
        // Said in words where a model needs to know, and checked when it comes.
        for (const limit of LIMITS) delete jsonSchema[limit]
        return
      }
      // No model reads it, and a later version may say more.
      delete jsonSchema.description
      delete jsonSchema.additionalProperties
      // What is always there is said of the whole answer; of its parts that would be a fifth of all this.
      if (!jsonSchema.properties?.success) delete jsonSchema.required
    },
  })
  return rest as JsonSchema
}

const LIMITS = ['minimum', 'maximum', 'minItems', 'maxItems'] as const

/** Legacy callers send some fields outside of their groups; what they mean is said there. */
function withFlatFields(schema: JsonSchema): JsonSchema {
  const flat = Object.entries(FLAT_FIELDS).map(([name, [group, field]]) => {
    const { description: _, default: __, ...plain } = schema.properties?.[group]?.properties?.[field] ?? {}
    return [name, plain]
  })
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(flat) } }
}
