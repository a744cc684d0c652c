import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import type { Editor } from '../../src/vscode/editor.ts'
import { type ApprovalsPanel, activatePanel } from '../../src/vscode/panel/activate-panel.ts'
import type { Product } from '../../src/vscode/product/product.ts'
import { WindowPage } from './browser.ts'
import type { LiveHost } from './live-host.ts'
import { eventually } from './mcp-client.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const OWN = 'https://webview.test'
const FILES = 'https://files.test'
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }

/** The extension's folder with the page in it, as the build puts it there. */
export async function builtExtension(): Promise<{ readonly folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'it-extension-'))
  const { buildPanel } = await import('../../scripts/build-panel.mjs')
  await buildPanel(ROOT, join(folder, 'page'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export type EditorTheme = 'vscode-light' | 'vscode-dark' | 'vscode-high-contrast' | 'vscode-high-contrast-light'

interface Asked {
  readonly prompt: string
  readonly password: boolean
  answer(typed: string | undefined): void
}

class PlayedTabInput {
  readonly viewType: string
  constructor(viewType: string) {
    this.viewType = viewType
  }
}
type PlayedTab = {
  readonly input: unknown
  readonly isActive: boolean
  readonly group: { readonly viewColumn: number }
}

/** The tab of a page as an extension host that was killed leaves it. */
export const leftTab = (type: string, isActive: boolean): PlayedTab => ({
  input: new PlayedTabInput(`mainThreadWebview-${type}`),
  isActive,
  group: { viewColumn: 2 },
})

/**
 * Plays the editor around the real extension: commands, status bar, fields and notifications are here, the webview is a real page of
 * Chromium with the editor's own styles, classes and messages.
 */
export class PlayedEditor {
  readonly #page: () => Promise<Page>
  readonly #folder: string
  readonly commands = new Map<string, (...args: unknown[]) => unknown>()
  readonly executed: unknown[][] = []
  readonly asked: Asked[] = []
  readonly notified: { readonly text: string; readonly actions: readonly string[]; press(action?: string): void }[] = []
  readonly typed: { text: string; sent: boolean }[] = []
  readonly opened: string[] = []
  readonly status: Record<string, unknown> = {}
  readonly subscriptions: { dispose(): unknown }[] = []
  readonly fromPage: Record<string, unknown>[] = []
  theme: EditorTheme = 'vscode-light'
  remoteName: string | undefined
  webview: PlayedWebview | null = null
  /** How the editor was asked to open the panel. */
  openedIn: unknown = null
  /** Tabs that are there before the extension begins. */
  readonly tabs: PlayedTab[] = []
  panel!: ApprovalsPanel

  constructor(options: { readonly page: () => Promise<Page>; readonly folder: string }) {
    this.#page = options.page
    this.#folder = options.folder
  }

  /** The extension begins, as far as it is the panel's. */
  activate(product: Product): this {
    const context = {
      subscriptions: this.subscriptions,
      extensionUri: fileUri(this.#folder),
      extension: { packageJSON: { version: 'test' } },
    }
    this.panel = activatePanel(context as unknown as Parameters<typeof activatePanel>[0], {
      editor: this.#editor(),
      product,
      // The machine of the tests may be one.
      exists: () => false,
    })
    return this
  }

  end(): void {
    this.panel.dispose()
    for (const each of this.subscriptions) each.dispose()
  }

  async says(text: string): Promise<void> {
    await eventually(`the status bar says ${text}, not ${this.status.text}`, () =>
      String(this.status.text).includes(text),
    )
  }

  /** Opens the panel by its command, as a person does. */
  async reviews(): Promise<WindowPage> {
    this.commands.get('interactive-terminal.review')?.()
    await eventually('the panel opens', () => this.webview !== null)
    const { window } = this.webview as PlayedWebview
    return window
  }

  async nextAsked(): Promise<Asked> {
    await eventually('the editor asks the person', () => this.asked.length > 0)
    return this.asked.shift() as Asked
  }

  #editor(): Editor {
    const played = this
    const editor = {
      StatusBarAlignment: { Left: 1, Right: 2 },
      ViewColumn: { Active: -1 },
      TabInputWebview: PlayedTabInput,
      ThemeColor: class {
        readonly id: string
        constructor(id: string) {
          this.id = id
        }
      },
      Uri: {
        joinPath: ({ fsPath }: { fsPath: string }, ...more: string[]) => fileUri(join(fsPath, ...more)),
        parse: (url: string) => ({ scheme: new URL(url).protocol.slice(0, -1), toString: () => url }),
      },
      CancellationTokenSource: class {
        readonly #listeners: (() => void)[] = []
        readonly token = { onCancellationRequested: (listener: () => void) => void this.#listeners.push(listener) }
        cancel() {
          for (const listener of this.#listeners) listener()
        }
        dispose() {}
      },
      env: {
        appName: 'Played Editor',
        get remoteName() {
          return played.remoteName
        },
        openExternal: async (uri: { toString(): string }) => void played.opened.push(uri.toString()),
      },
      commands: {
        registerCommand(name: string, act: (...args: unknown[]) => unknown) {
          played.commands.set(name, act)
          return { dispose: () => void played.commands.delete(name) }
        },
        executeCommand: async (...call: unknown[]) => void played.executed.push(call),
      },
      workspace: { getConfiguration: () => ({ get: (_name: string, or: unknown) => or }), workspaceFolders: [] },
      window: {
        createStatusBarItem: () => Object.assign(played.status, { show() {}, dispose() {} }),
        createTerminal: () => ({
          show() {},
          sendText: (text: string, sent = true) => void played.typed.push({ text, sent }),
        }),
        showErrorMessage: async (text: string) => void played.notified.push({ text, actions: [], press() {} }),
        showInformationMessage: (text: string, ...actions: string[]) =>
          new Promise(press => played.notified.push({ text, actions, press })),
        showInputBox: (
          { prompt = '', password = false }: { prompt?: string; password?: boolean },
          token?: { onCancellationRequested(listener: () => void): void },
        ) =>
          new Promise<string | undefined>(answer => {
            const asked = { prompt, password, answer }
            token?.onCancellationRequested(() => {
              played.asked.splice(played.asked.indexOf(asked) >>> 0, 1)
              answer(undefined)
            })
            played.asked.push(asked)
          }),
        tabGroups: {
          get all() {
            return [{ tabs: [...played.tabs] }]
          },
          async close(tabs: readonly PlayedTab[]) {
            for (const tab of tabs) played.tabs.splice(played.tabs.indexOf(tab), 1)
            return true
          },
        },
        createWebviewPanel: (_type: string, _title: string, where: unknown) => {
          played.openedIn = where
          const webview = new PlayedWebview(played, this.#page, join(this.#folder, 'page'))
          played.webview = webview
          return webview.panel
        },
      },
    }
    return editor as unknown as Editor
  }
}

const fileUri = (fsPath: string) => ({ scheme: 'file', fsPath, toString: () => `file://${fsPath}` })

/** A webview: its page is of another origin than its files, messages come from inside, and the editor's styles are in it first. */
class PlayedWebview {
  readonly panel: Record<string, unknown>
  readonly #played: PlayedEditor
  #page: Page | null = null
  #window: Promise<WindowPage> | null = null
  #heard: ((message: unknown) => void) | null = null
  #changed: (() => void) | null = null
  #closed: (() => void) | null = null
  #visible = true

  constructor(played: PlayedEditor, newPage: () => Promise<Page>, files: string) {
    this.#played = played
    const open = async (html: string) => {
      const page = await newPage()
      this.#page = page
      const window = new WindowPage(page)
      await page.route(`${FILES}/page/**`, route => {
        const path = join(files, new URL(route.request().url()).pathname.replace('/page/', ''))
        const headers = { 'access-control-allow-origin': '*' }
        return route.fulfill({ body: readFileSync(path), contentType: TYPES[extname(path)] ?? 'text/plain', headers })
      })
      await page.route(`${OWN}/**`, route => route.fulfill({ body: this.#withEditor(html), contentType: 'text/html' }))
      await page.exposeFunction('postToExtension', (message: unknown) => {
        played.fromPage.push(message as Record<string, unknown>)
        this.#heard?.(message)
      })
      await page.goto(`${OWN}/`)
      return window
    }
    const self = this
    this.panel = {
      get visible() {
        return self.#visible
      },
      onDidDispose: (listener: () => void) => {
        this.#closed = listener
      },
      onDidChangeViewState: (listener: () => void) => {
        this.#changed = listener
      },
      reveal: () => this.show(true),
      dispose: () => void this.close(),
      webview: {
        asWebviewUri: () => `${FILES}/page`,
        onDidReceiveMessage: (listener: (message: unknown) => void) => {
          this.#heard = listener
        },
        postMessage: async (message: unknown) => this.#post(message),
        set html(html: string) {
          self.#window = open(html)
        },
      },
    }
  }

  get window(): Promise<WindowPage> {
    if (!this.#window) throw new Error('the panel has no page')
    return this.#window
  }

  /** Another tab of the editor is in front of it, or it again. The editor leaves `visibilityState` as it is. */
  show(visible: boolean): void {
    this.#visible = visible
    this.#changed?.()
  }

  async close(): Promise<void> {
    this.#played.webview = null
    this.#closed?.()
    await this.#page?.close()
  }

  /** Another theme is chosen while the panel is open. */
  async wear(theme: EditorTheme): Promise<void> {
    await this.#page?.evaluate(`for (const [name, value] of ${JSON.stringify(Object.entries(THEMES[theme]))})
      document.documentElement.style.setProperty(name, value)
      document.body.className = ${JSON.stringify(classOf(theme))}
      new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`)
  }

  async #post(message: unknown): Promise<void> {
    await this.#page?.evaluate(`window.postMessage(${JSON.stringify(message)}, window.origin)`).catch(() => {
      // It was closed meanwhile.
    })
  }

  /** What editors put in front of every page: their variables, their own styles, and the way out. */
  #withEditor(html: string): string {
    const { theme } = this.#played
    const variables = Object.entries(THEMES[theme]).map(([name, value]) => `${name}: ${value}`)
    const before = `<style>html { ${variables.join('; ')} } ${EDITOR_STYLES}</style>
      <script>globalThis.acquireVsCodeApi = () => ({ postMessage: message => void postToExtension(message) })</script>`
    return html.replace('<head>', `<head>${before}`).replace('<body>', `<body class="${classOf(theme)}">`)
  }
}

/** As editors have them, unlayered as in the older ones. */
const EDITOR_STYLES = `html { scrollbar-color: #888 #222 }
  body { background-color: transparent; color: var(--vscode-editor-foreground); font-size: 13px; margin: 0; padding: 0 20px }
  a { color: var(--vscode-textLink-foreground) }
  code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px }
  kbd { color: var(--vscode-editor-foreground); background-color: var(--vscode-keybindingLabel-background); padding: 1px 3px }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: #888 }`
/** A light one with high contrast has both names. */
const classOf = (theme: EditorTheme): string =>
  theme === 'vscode-high-contrast-light' ? `${theme} vscode-high-contrast` : theme

/** As themes set them. The light one is hostile: it draws text in the colour of what is behind it. */
const THEMES: Record<EditorTheme, Readonly<Record<string, string>>> = {
  'vscode-light': {
    '--vscode-editor-foreground': '#fefefe',
    '--vscode-editor-background': '#ffffff',
    '--vscode-textPreformat-foreground': '#fefefe',
    '--vscode-textLink-foreground': '#fefefe',
    '--vscode-textPreformat-background': '#1a1d21',
    '--vscode-textBlockQuote-background': '#5b626b',
    '--vscode-keybindingLabel-background': '#1a1d21',
  },
  'vscode-dark': {
    '--vscode-editor-foreground': '#cccccc',
    '--vscode-editor-background': '#1e1e1e',
    '--vscode-textPreformat-foreground': '#d7ba7d',
    '--vscode-textLink-foreground': '#3794ff',
  },
  'vscode-high-contrast': {
    '--vscode-editor-foreground': '#ffffff',
    '--vscode-editor-background': '#000000',
    '--vscode-contrastBorder': '#6fc3df',
  },
  'vscode-high-contrast-light': {
    '--vscode-editor-foreground': '#292929',
    '--vscode-editor-background': '#ffffff',
    '--vscode-contrastBorder': '#0f4a85',
  },
}

/** The product as the extension finds it: the host of the test, as it would have written itself down. */
export class SeenHost {
  readonly #file: string
  #live: LiveHost | null = null

  constructor(folder: string) {
    this.#file = join(folder, 'host.json')
  }

  runs(live: LiveHost, version = 'test'): this {
    this.#live = live
    const { port, approverPort } = live.host
    writeFileSync(this.#file, JSON.stringify({ pid: process.pid, port, approver_port: approverPort, version }))
    return this
  }

  ended(): void {
    rmSync(this.#file, { force: true })
  }

  readonly product: Product = {
    command: () => ({ program: '/usr/bin/interactive-terminal', args: [], env: {}, from: 'installed' }),
    places: async () => {
      const state = this.#live?.state ?? '/nowhere'
      return {
        hostFile: this.#file,
        localKeyFile: join(state, 'local.key'),
        approverFile: join(state, 'approver.v1.json'),
      }
    },
  }
}
