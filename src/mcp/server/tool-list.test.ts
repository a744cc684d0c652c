import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { describe, expect, test } from 'vitest'
import { InteractiveResponse, Result } from '../../contract/tool/response.ts'
import { toolList } from './tool-list.ts'
import { NOT_SHOWN } from './tool-schema.ts'

const HIDDEN = new RegExp(`"(?:${NOT_SHOWN.join('|')})":`)
const validator = new AjvJsonSchemaValidator()
const directory = join(import.meta.dirname, '../../contract/examples')
const examples = readdirSync(directory).map(file => ({
  file,
  content: JSON.parse(readFileSync(join(directory, file), 'utf8')),
}))

test('there are two tools, with short plain names every client can carry', () => {
  expect(toolList().map(({ name }) => name)).toEqual(['memory_terminal', 'memory_terminal_interactive'])
})

describe.each(toolList())('$name', tool => {
  const kind = tool.name === 'memory_terminal' ? 'headless-' : 'interactive-'

  test('is honest about what it may do', () => {
    expect(tool.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    })
  })

  test('is always offered to the model', () => {
    expect(tool._meta).toEqual({ 'anthropic/alwaysLoad': true })
  })

  test('has schemas a client can compile', () => {
    expect({ input: tool.inputSchema.type, output: tool.outputSchema.type }).toEqual({
      input: 'object',
      output: 'object',
    })
    expect(validator.getValidator(tool.inputSchema)({ action: 'nonsense' }).valid).toBe(false)
    expect(validator.getValidator(tool.outputSchema)({}).valid).toBe(false)
  })

  test.each(examples.filter(({ file }) => file.startsWith(kind) && file.endsWith('.response.json')))(
    '$file is an answer its schema describes',
    ({ content }) => {
      expect(validator.getValidator(tool.outputSchema)(content)).toMatchObject({ valid: true })
    },
  )

  test.each(
    examples.filter(
      ({ file }) => file.startsWith(kind) && file.endsWith('.request.json') && !/unknown|mistakes/.test(file),
    ),
  )('$file is a request its schema lets a client send', ({ file, content }) => {
    // What only older programs send is taken by the server and not shown to models.
    const isShown = !/legacy/.test(file) && !JSON.stringify(content).match(HIDDEN)
    expect(validator.getValidator(tool.inputSchema)(content)).toMatchObject({ valid: isShown })
  })

  // One of these in a tool, and some providers answer every message of a conversation with an error.
  test('says nothing in its schemas that a provider stumbles over', () => {
    const found = [...stumbles(tool.inputSchema, 'input'), ...stumbles(tool.outputSchema, 'output')]
    expect(found).toEqual([])
  })

  test('lets a client send exactly the fields the server knows', () => {
    const open = everySchema(tool.inputSchema, 'input').filter(
      ({ schema }) => schema.type === 'object' && schema.properties && schema.additionalProperties !== false,
    )
    expect(open.map(({ at }) => at)).toEqual([])
    expect(validator.getValidator(tool.inputSchema)({ action: 'list', nonsense: 1 }).valid).toBe(false)
  })

  test('shows a model an example that really works', () => {
    const example = /Example: (\{.*\})/.exec(tool.description)?.[1] ?? ''
    expect(validator.getValidator(tool.inputSchema)(JSON.parse(example))).toMatchObject({ valid: true })
  })

  test('describes itself in the few words a model reads', () => {
    expect(tool.description.length).toBeLessThan(600)
  })
})

test('both tools together take little of a model’s attention, and little of a client’s', () => {
  const read = toolList().map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  )
  expect(Buffer.byteLength(read.join(''))).toBeLessThanOrEqual(5000)
  const output = toolList().map(({ outputSchema }) => JSON.stringify(outputSchema))
  expect(output.join('').length).toBeLessThan(8 * 1024)
})

test('every field of an answer and of its result is named', () => {
  for (const { outputSchema } of toolList()) {
    const { result, ...call } = outputSchema.properties as Record<string, { properties?: object }>
    expect(Object.keys(result?.properties ?? {})).toEqual(Object.keys(Result.shape))
    expect([...Object.keys(call), 'result'].sort()).toEqual(Object.keys(InteractiveResponse.shape).sort())
  }
})

test.each([
  ['a lookahead', { pattern: '^(?!x)y$' }],
  ['a lookbehind', { properties: { x: { items: { pattern: '(?<!a)b' } } } }],
  ['names of properties', { anyOf: [{ propertyNames: { type: 'string' } }] }],
  ['the largest number there is', { properties: { n: { maximum: Number.MAX_SAFE_INTEGER } } }],
  ['the smallest number there is', { additionalProperties: { minimum: Number.MIN_SAFE_INTEGER } }],
])('the walk through a schema finds %s', (_, schema) => {
  expect(stumbles(schema, 'made up')).toHaveLength(1)
})

interface Found {
  readonly at: string
  readonly schema: Record<string, unknown>
}

/** Every object of a schema that could be one itself. */
function everySchema(schema: unknown, at: string): Found[] {
  if (typeof schema !== 'object' || schema === null) return []
  const inside = Object.entries(schema).flatMap(([key, value]) => everySchema(value, `${at}.${key}`))
  return Array.isArray(schema) ? inside : [{ at, schema: schema as Record<string, unknown> }, ...inside]
}

function stumbles(schema: unknown, name: string): string[] {
  return everySchema(schema, name).flatMap(({ at, schema: { pattern, propertyNames, minimum, maximum } }) => [
    ...(typeof pattern === 'string' && /\(\?/.test(pattern) ? [`${at}.pattern ${pattern}`] : []),
    ...(propertyNames === undefined ? [] : [`${at}.propertyNames`]),
    ...[minimum, maximum].flatMap(bound =>
      typeof bound === 'number' && Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? [`${at} ${bound}`] : [],
    ),
  ])
}
