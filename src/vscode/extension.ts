import { join } from 'node:path'
import * as vscode from 'vscode'
import { type Editor, SECTION } from './editor.ts'
import { startHost } from './machine/start-host.ts'
import { whereRuns } from './machine/where-runs.ts'
import { MCP_ID, mcpDefinition } from './mcp/mcp-server.ts'
import { activatePanel } from './panel/activate-panel.ts'
import { type Product, productOf } from './product/product.ts'
import { TOOL_NAME, toolEntry } from './tool/tool-entry.ts'

/** Called by the editor once it is up. Only what has to be there is made here; the rest is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): void {
  activateIn(vscode, context, process.env)
}

/** The same in an editor that is passed in. */
export function activateIn(
  editor: Editor,
  context: vscode.ExtensionContext,
  variables: Readonly<Record<string, string | undefined>>,
): void {
  const product = productOf(() => lookFor(editor, context, variables.PATH), variables)
  const panel = activatePanel(context, { editor, product })
  const tool = toolEntry({
    editor,
    product,
    numbers: {
      last: () => context.workspaceState.get('last_terminal', 0),
      keep: last => void context.workspaceState.update('last_terminal', last),
    },
    where: whereRuns(editor.env).name,
    aboutToAsk: () => panel.look(),
  })
  const own: vscode.Disposable[] = [
    panel,
    tool,
    editor.lm.registerTool(TOOL_NAME, tool),
    ...mcpServer(editor, product, context),
    editor.commands.registerCommand('interactive-terminal.startHost', () => startHost(editor, product)),
  ]
  context.subscriptions.push(...own)
}

/** The definition follows the settings. */
function mcpServer(editor: Editor, product: Product, { extension }: vscode.ExtensionContext): vscode.Disposable[] {
  const changed = new editor.EventEmitter<void>()
  const version = String((extension.packageJSON as { version?: unknown }).version ?? '0')
  return [
    changed,
    editor.workspace.onDidChangeConfiguration(change => change.affectsConfiguration(SECTION) && changed.fire()),
    editor.lm.registerMcpServerDefinitionProvider(MCP_ID, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => [mcpDefinition(editor, product, version)],
    }),
  ]
}

function lookFor(editor: Editor, { extensionPath }: vscode.ExtensionContext, path = '') {
  const settings = editor.workspace.getConfiguration(SECTION)
  return {
    program: settings.get('program', ''),
    home: settings.get('home', ''),
    path,
    workspaces: (editor.workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath),
    bundled: join(extensionPath, 'product/interactive-terminal.cjs'),
    node: process.execPath,
    platform: process.platform,
  }
}
