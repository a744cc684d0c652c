import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeToolSchema } from '../scripts/build-vscode.mjs'
import { EDITOR_ACTIONS, EditorRequest, parseEditor } from '../src/contract/tool/editor-request.ts'
import { toolList } from '../src/mcp/server/tool-list.ts'
import { inputSchema, NOT_SHOWN } from '../src/mcp/server/tool-schema.ts'
import { TOOL_NAME } from '../src/vscode/tool/tool-entry.ts'

/** The manifest of the extension, as the build makes it: from there models know the third tool. */
interface ManifestTool {
  readonly name: string
  readonly modelDescription: string
  readonly inputSchema: { readonly properties: Record<string, unknown> }
}
let directory: string
let tool: ManifestTool

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'it-manifest-'))
  const file = join(directory, 'package.json')
  copyFileSync(resolve(import.meta.dirname, '../vscode/package.json'), file)
  await writeToolSchema(file)
  const { contributes } = JSON.parse(readFileSync(file, 'utf8'))
  ;[tool] = contributes.languageModelTools
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('§8: models are shown the schema of memory_terminal_vscode that its requests are held to', () => {
  expect(tool.name).toBe(TOOL_NAME)
  expect(tool.inputSchema).toEqual(inputSchema(EditorRequest))
  const shown = Object.keys(EditorRequest.shape).filter(name => !NOT_SHOWN.includes(name))
  expect(Object.keys(tool.inputSchema.properties)).toEqual(shown)
  expect(tool.inputSchema.properties.action).toMatchObject({ enum: EDITOR_ACTIONS })
})

test('§8: what models are told of it has requests that are taken, and names each of the other tools', () => {
  const examples = tool.modelDescription.match(/\{"action".*?\}/g) ?? []
  expect(examples.map(text => parseEditor(JSON.parse(text.replace('<id>', 'term_1_x'))).action)).toEqual([
    'create',
    'send',
  ])
  for (const { name } of toolList()) expect(tool.modelDescription).toMatch(new RegExp(`: ${name}[.,]`))
})
