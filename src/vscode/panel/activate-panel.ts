import type { ExtensionContext } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import type { Editor } from '../editor.ts'
import type { Product } from '../product/product.ts'

/** What the status bar knows of the host, for whoever else has to say it. */
export type HostSeen =
  | { readonly at: 'unknown' }
  | { readonly at: 'none' }
  /** `waiting`: questions that wait; null until this editor was admitted as an approver, who alone may know. */
  | { readonly at: 'up'; readonly waiting: number | null }

export interface ApprovalsPanel extends Disposable {
  readonly seen: HostSeen
  /** Looks for the host now, not at the next turn: somebody needs an answer of the person. */
  look(): void
  /** Opens the panel, and puts it before the person's eyes. */
  review(): void
}

/** The person's side of the editor: the status bar, and the page of the window in a panel. */
export function activatePanel(
  context: Pick<ExtensionContext, 'subscriptions' | 'extensionUri' | 'extension'>,
  { editor }: { readonly editor: Editor; readonly product: Product },
): ApprovalsPanel {
  const item = editor.window.createStatusBarItem('interactive-terminal.state', editor.StatusBarAlignment.Right, 90)
  item.name = 'interactive-terminal'
  item.text = '$(terminal)'
  item.command = 'interactive-terminal.review'
  item.show()
  context.subscriptions.push(item)
  return { seen: { at: 'unknown' }, look() {}, review() {}, dispose: () => item.dispose() }
}
