import { join } from 'node:path'
import * as vscode from 'vscode'
import { SECTION } from './editor.ts'
import { activatePanel } from './panel/activate-panel.ts'
import { productOf } from './product/product.ts'

/** Called by the editor once it is up. Only what has to be there is made here; the rest is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): void {
  const editor = vscode
  const product = productOf(() => {
    const settings = editor.workspace.getConfiguration(SECTION)
    return {
      program: settings.get('program', ''),
      home: settings.get('home', ''),
      path: process.env.PATH ?? '',
      workspaces: (editor.workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath),
      bundled: join(context.extensionPath, 'product/interactive-terminal.cjs'),
      node: process.execPath,
      platform: process.platform,
    }
  }, process.env)
  context.subscriptions.push(activatePanel(context, { editor, product }))
}
