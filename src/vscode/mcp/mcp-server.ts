import type { McpStdioServerDefinition } from 'vscode'
import { type Editor, SECTION } from '../editor.ts'
import type { Product } from '../product/product.ts'

/** As the manifest names it. */
export const MCP_ID = 'interactive-terminal.mcp'
const LABEL = 'interactive-terminal'

/** The setting `adapter`, as the product calls it. */
const ADAPTERS: Readonly<Record<string, string>> = { auto: 'auto', local: 'local', container: 'container_bridge' }

/** The MCP server of the product, with the two other tools: the editor starts it when an agent wants one of them. */
export function mcpDefinition(editor: Editor, product: Product, version: string): McpStdioServerDefinition {
  const { program, args, env } = product.command()
  const adapter = editor.workspace.getConfiguration(SECTION).get<string>('adapter', 'auto')
  const definition = new editor.McpStdioServerDefinition(
    LABEL,
    program,
    [...args, 'mcp'],
    { ...env, PM_TERM_CALLER_SURFACE: 'extension', PM_TERM_ADAPTER_MODE: ADAPTERS[adapter] ?? 'auto' },
    version,
  )
  const folder = editor.workspace.workspaceFolders?.[0]?.uri
  if (folder !== undefined) definition.cwd = folder
  return definition
}
