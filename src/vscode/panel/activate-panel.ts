import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ExtensionContext } from 'vscode'
import { systemClock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { EditorLink } from '../../contract/window/editor-messages.ts'
import type { Editor } from '../editor.ts'
import { whereRuns } from '../machine/where-runs.ts'
import type { Product } from '../product/product.ts'
import type { Approvals } from './approvals.ts'
import { statusWords } from './status-words.ts'

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

interface PanelParts {
  readonly editor: Editor
  readonly product: Product
  readonly exists?: (file: string) => boolean
}

/** The person's side of the editor: the status bar, and the page of the window in a panel. What it needs more is loaded after the start. */
export function activatePanel(
  context: Pick<ExtensionContext, 'subscriptions' | 'extensionUri' | 'extension'>,
  { editor, product, exists = existsSync }: PanelParts,
): ApprovalsPanel {
  let approvals: Approvals | null = null
  let isOver = false
  const item = editor.window.createStatusBarItem('interactive-terminal.state', editor.StatusBarAlignment.Right, 90)
  item.name = 'interactive-terminal'
  item.command = 'interactive-terminal.review'
  const show = (): void => {
    const { text, tooltip, tone } = statusWords(approvals?.link ?? { at: 'looking' }, approvals?.waiting ?? 0)
    item.text = text
    item.tooltip = tooltip
    item.accessibilityInformation = { label: `interactive-terminal: ${tooltip}` }
    item.backgroundColor = tone === 'wanted' ? new editor.ThemeColor('statusBarItem.warningBackground') : undefined
  }
  show()
  item.show()

  const where = whereRuns(editor.env, { exists, host: hostname() })
  const loading = systemNext().then(async () => {
    const { Approvals } = await import('./approvals.ts')
    if (isOver) return null
    approvals = new Approvals({ context, editor, product, where, clock: systemClock, onChange: show })
    return approvals
  })
  // No words of whoever calls it count: it opens a panel, and decides nothing.
  const review = (): void => void loading.then(loaded => loaded?.review())
  context.subscriptions.push(
    item,
    editor.commands.registerCommand('interactive-terminal.review', () => review()),
  )

  return {
    get seen() {
      return seenOf(approvals?.link ?? { at: 'looking' }, approvals?.waiting ?? 0)
    },
    look: () => void loading.then(loaded => loaded?.look()),
    review,
    dispose() {
      isOver = true
      approvals?.dispose()
    },
  }
}

/** The editor goes on first. */
const systemNext = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

function seenOf(link: EditorLink, waiting: number): HostSeen {
  switch (link.at) {
    case 'looking':
      return { at: 'unknown' }
    case 'no_host':
    case 'no_host_in_container':
      return { at: 'none' }
    case 'other_version':
    case 'not_admitted':
    case 'asking':
      return { at: 'up', waiting: null }
    case 'admitted':
      return { at: 'up', waiting }
  }
}
