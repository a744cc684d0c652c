import * as z from 'zod'
import { DAY_MS } from '../../contract/field.ts'
import { OLD_WAIT_FIELDS } from '../../contract/tool/wait.ts'

/**
 * The schemas of the tools as clients list them. Providers hand them to models and to grammar compilers, and some refuse every
 * message because of one keyword they do not know; a model pays for each byte in every conversation. What is said here is plain
 * and short; the exact checks are made by the code that reads the request.
 */
type JsonSchema = z.core.JSONSchema.BaseSchema

const LIMITS = ['minimum', 'maximum', 'minItems', 'maxItems'] as const

/** Taken as ever from programs that know them, and nothing that a model should learn: docs/contract.md has them all. */
export const NOT_SHOWN: readonly string[] = [
  ...OLD_WAIT_FIELDS,
  ...['trace_id', 'client_request_id', 'compat', 'workspace_id', 'timeout'],
  ...['adapter_override', 'binary_path', 'venv_path', 'activate_venv', 'terminal_profile'],
]

export const inputSchema = (schema: z.ZodType): Record<string, unknown> =>
  schemaOf(schema, 'input', json => {
    for (const name of NOT_SHOWN) delete json.properties?.[name]
    // Said in words where a model needs to know, and checked when it comes.
    for (const limit of LIMITS) delete json[limit]
  })

/**
 * No model reads it, and clients check answers by it. It names every field of an answer and of its result; what is inside those
 * that only some calls have (a list, a screen, matches) is in docs/contract.md.
 */
export function outputSchema(schema: z.ZodType): Record<string, unknown> {
  const whole = schemaOf(schema, 'output', json => {
    delete json.description
    // A later version may say more.
    delete json.additionalProperties
    if (!json.properties?.success) delete json.required
    if (json.enum && !TOLD.some(value => json.enum?.includes(value))) delete json.enum
    mayBeNull(json)
  }) as JsonSchema
  const { result, ...call } = whole.properties ?? {}
  return { ...whole, properties: { ...call, ...(typeof result === 'object' && { result: withoutInside(result) }) } }
}

/** One value of each list of values that is worth its bytes: of statuses, states and error codes. */
const TOLD = ['completed', 'exited', 'PM_TERM_INTERNAL']

function withoutInside(json: JsonSchema): JsonSchema {
  const fields = Object.entries(json.properties ?? {}).map(([name, field]) => {
    if (typeof field !== 'object' || (field.type !== 'object' && field.type !== 'array')) return [name, field]
    return [name, { type: field.type }]
  })
  return { ...json, properties: Object.fromEntries(fields) }
}

function schemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  shorten: (json: JsonSchema) => void,
): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      delete jsonSchema.pattern
      delete jsonSchema.propertyNames
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER || jsonSchema.maximum === DAY_MS) delete jsonSchema.maximum
      shorten(jsonSchema)
    },
  })
  return rest
}

/** `anyOf` of one type and null, as one list of types. */
function mayBeNull(json: JsonSchema): void {
  const [of, nothing, ...more] = json.anyOf ?? []
  if (typeof of !== 'object' || typeof nothing !== 'object' || more.length > 0) return
  if (nothing.type !== 'null' || typeof of.type !== 'string') return
  delete json.anyOf
  Object.assign(json, of, { type: [of.type, 'null'] })
}
