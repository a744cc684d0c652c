import type { ExtensionContext, Tab, ViewColumn, WebviewPanel } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import {
  type EditorLink,
  FromPanelPage,
  type PanelAction,
  type PanelMachine,
  type ToPanelPage,
} from '../../contract/window/editor-messages.ts'
import type { Editor } from '../editor.ts'
import { freshNonce, panelHtml, readPage } from './page-files.ts'

export interface PagePanelEvents {
  /** The page listens, and knows nothing yet. */
  readonly ready: () => void
  readonly frame: (frame: { readonly type: string }) => void
  readonly action: (action: PanelAction) => void
  readonly openLink: (url: string) => void
  readonly save: (file: { readonly name: string; readonly text: string }) => void
  readonly visible: (visible: boolean) => void
  readonly closed: () => void
}

const TYPE = 'interactive-terminal.approvals'
/** What counts only while the person has the panel before them. The page says so itself; here it is held once more. */
const NEEDS_SIGHT: ReadonlySet<string> = new Set(['shown', 'in_view', 'answer', 'judge'])

/** Tabs of an extension host that has ended: the editor keeps them, and nobody answers their page any more. */
export interface LeftPages {
  readonly tabs: readonly Tab[]
  /** Where the person still has one before them; null: nowhere. */
  readonly column: ViewColumn | null
}
const NONE_LEFT: LeftPages = { tabs: [], column: null }

/** To be called while this extension host has no panel: whatever is there is of an earlier one. */
export function leftPages({ window, TabInputWebview }: Pick<Editor, 'TabInputWebview' | 'window'>): LeftPages {
  // The editor puts a word of its own before the type.
  const isOurs = ({ input }: Tab) => input instanceof TabInputWebview && input.viewType.endsWith(TYPE)
  const tabs = window.tabGroups.all.flatMap(group => group.tabs.filter(isOurs))
  return { tabs, column: tabs.find(({ isActive }) => isActive)?.group.viewColumn ?? null }
}

/** The panel with the page of the window in it. It closes with the editor window; another editor window has its own. */
export class PagePanel implements Disposable {
  readonly #panel: WebviewPanel
  readonly #events: PagePanelEvents
  #ready = false

  constructor(
    editor: Pick<Editor, 'Uri' | 'ViewColumn' | 'window'>,
    { extensionUri }: Pick<ExtensionContext, 'extensionUri'>,
    events: PagePanelEvents,
    instead: LeftPages = NONE_LEFT,
  ) {
    this.#events = events
    const folder = editor.Uri.joinPath(extensionUri, 'page')
    const page = readPage(folder.fsPath)
    const { column } = instead
    // Nobody has asked for it just now: who types elsewhere goes on there.
    const where = column === null ? editor.ViewColumn.Active : { viewColumn: column, preserveFocus: true }
    this.#panel = editor.window.createWebviewPanel(TYPE, 'Approvals', where, {
      enableScripts: true,
      // What was begun there (a reason, an edited line) is still there when the person comes back.
      retainContextWhenHidden: true,
      enableCommandUris: false,
      localResourceRoots: [folder],
    })
    this.#panel.iconPath = editor.Uri.joinPath(extensionUri, 'icon.png')
    const { webview } = this.#panel
    this.#panel.onDidDispose(() => events.closed())
    this.#panel.onDidChangeViewState(() => this.#sight())
    webview.onDidReceiveMessage((message: unknown) => this.#receive(message))
    webview.html = panelHtml(page, { root: webview.asWebviewUri(folder).toString(), nonce: freshNonce() })
  }

  get visible(): boolean {
    return this.#panel.visible
  }

  reveal(): void {
    this.#panel.reveal()
  }

  link(link: EditorLink, machine: PanelMachine): void {
    this.#say({ type: 'link', link, machine })
  }

  frame(frame: object): void {
    this.#say({ type: 'frame', frame: frame as { readonly type: string } })
  }

  dispose(): void {
    this.#panel.dispose()
  }

  #sight(): void {
    const { visible } = this.#panel
    this.#say({ type: 'sight', visible })
    this.#events.visible(visible)
  }

  #receive(message: unknown): void {
    const parsed = FromPanelPage.safeParse(message)
    if (!parsed.success) return
    const said = parsed.data
    switch (said.type) {
      case 'ready':
        this.#ready = true
        this.#sight()
        this.#events.ready()
        return
      case 'frame':
        if (this.#panel.visible || !NEEDS_SIGHT.has(said.frame.type)) this.#events.frame(said.frame)
        return
      case 'action':
        this.#events.action(said.action)
        return
      case 'open_link':
        this.#events.openLink(said.url)
        return
      case 'save':
        this.#events.save(said)
    }
  }

  #say(message: ToPanelPage): void {
    if (this.#ready) void this.#panel.webview.postMessage(message)
  }
}
