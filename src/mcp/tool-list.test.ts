import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { describe, expect, test } from 'vitest'
import { toolList } from './tool-list.ts'

const validator = new AjvJsonSchemaValidator()
const directory = join(import.meta.dirname, '../contract/examples')
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
  )('$file is a request its schema lets a client send', ({ content }) => {
    expect(validator.getValidator(tool.inputSchema)(content)).toMatchObject({ valid: true })
  })

  test('shows a model an example that really works', () => {
    const example = /Example: (\{.*\})/.exec(tool.description)?.[1] ?? ''
    expect(validator.getValidator(tool.inputSchema)(JSON.parse(example))).toMatchObject({ valid: true })
  })

  test('describes itself in the few words a model reads', () => {
    expect(tool.description.length).toBeLessThan(1200)
    expect(JSON.stringify(tool).length).toBeLessThan(24_000)
  })
})
