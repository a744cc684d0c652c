import { hostname, userInfo } from 'node:os'
import type { ExtensionContext } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import type { Disposable } from '../../base/disposable.ts'
import type { EditorLink, PanelMachine } from '../../contract/window/editor-messages.ts'
import type { Editor } from '../editor.ts'
import type { WhereRuns } from '../machine/where-runs.ts'
import type { Product } from '../product/product.ts'
import { editorPrompts } from './code-prompts.ts'
import { EditorApprover } from './editor-approver.ts'
import { findHost, type HostFound, isRunning } from './find-host.ts'
import { type LeftPages, leftPages, PagePanel, type PagePanelEvents } from './page-panel.ts'
import { actInEditor, notifyOfWaiting, openLink, saveFile } from './person-actions.ts'
import { WaitingQuestions } from './waiting-questions.ts'

export interface EditorApprovalsDeps {
  readonly context: Pick<ExtensionContext, 'extensionUri' | 'extension'>
  readonly editor: Editor
  readonly product: Product
  readonly clock: Clock
  readonly where: WhereRuns
  readonly onChange: () => void
}

const LOOKS_EVERY_MS = 2000
/** Asking the product starts a process. */
const LOOKS_AFTER_FAILURE_MS = 30_000
const NEW_HOST = 'The host has ended. Another one has to be asked anew.'

/** The editor as an approver: finds the host, is admitted by the person, holds the connection, and shows the page over it. */
export class Approvals implements Disposable {
  readonly #deps: EditorApprovalsDeps
  readonly #waiting = new WaitingQuestions()
  readonly machine: PanelMachine
  #link: EditorLink = { at: 'looking' }
  #approver: EditorApprover | null = null
  #panel: PagePanel | null = null
  #pageListens = false
  /** Frames before the host begins anew are of the page before this one. */
  #pageBegun = false
  #next: Disposable = { dispose() {} }
  #disposed = false
  #looking: Promise<HostFound | null> | null = null

  constructor(deps: EditorApprovalsDeps) {
    this.#deps = deps
    this.machine = { name: hostname(), remote: deps.where.remote }
    const left = leftPages(deps.editor)
    if (left.column !== null) this.#open(left)
    void deps.editor.window.tabGroups.close(left.tabs, true)
    void this.look()
  }

  get link(): EditorLink {
    return this.#link
  }

  get waiting(): number {
    return this.#waiting.count
  }

  /** Whether a host runs; what is known of it is looked at again from time to time. */
  async look(): Promise<void> {
    if (this.#disposed) return
    this.#next.dispose()
    if (this.#approver === null && this.#link.at !== 'asking') this.#at(await this.#found())
    const failed = this.#link.at === 'no_host' && this.#link.why !== null
    const pause = failed ? LOOKS_AFTER_FAILURE_MS : LOOKS_EVERY_MS
    if (!this.#disposed) this.#next = this.#deps.clock.after(pause, () => void this.look())
  }

  /** The panel, before the person's eyes. */
  review(): void {
    if (this.#panel) this.#panel.reveal()
    else this.#open()
  }

  #open(instead?: LeftPages): void {
    const { editor, context } = this.#deps
    const events: PagePanelEvents = {
      ready: () => this.#beginPage(),
      frame: frame => this.#approver?.send(frame),
      action: action => {
        if (action === 'code') void this.#admit()
        else if (action === 'look') void this.look()
        else actInEditor(editor, action, this.#hereCommand)
      },
      openLink: url => openLink(editor, url),
      save: file => void saveFile(editor, file),
      visible: visible => visible && void this.#waiting.takeFresh(),
      closed: () => this.#endPage(),
    }
    try {
      this.#panel = new PagePanel(editor, context, events, instead)
    } catch (cause) {
      void editor.window.showErrorMessage((cause as Error).message)
    }
  }

  dispose(): void {
    this.#disposed = true
    this.#next.dispose()
    this.#panel?.dispose()
    this.#approver?.dispose()
  }

  async #found(): Promise<EditorLink> {
    const { product } = this.#deps
    try {
      this.#looking ??= findHost(product, isRunning)
      const host = await this.#looking
      if (host === null) return this.#noHost(product)
      const extension = this.#version
      if (host.version !== extension) return { at: 'other_version', host: host.version, extension }
      return this.#link.at === 'not_admitted' ? this.#link : { at: 'not_admitted', problem: null }
    } catch (cause) {
      return { at: 'no_host', why: (cause as Error).message }
    } finally {
      this.#looking = null
    }
  }

  #noHost(product: Product): EditorLink {
    if (!this.#deps.where.inContainer) return { at: 'no_host', why: null }
    const { program, args } = product.command()
    return { at: 'no_host_in_container', command: [program, ...args, '--here'].map(quoted).join(' ') }
  }

  get #version(): string {
    const { version } = this.#deps.context.extension.packageJSON as { readonly version: string }
    return version
  }

  /** Asks the person; nothing but what they type admits this editor. */
  async #admit(): Promise<void> {
    if (this.#approver || this.#link.at === 'asking') return
    const { editor, product, clock } = this.#deps
    this.#at({ at: 'asking' })
    try {
      const host = await findHost(product, isRunning)
      if (host === null || host.version !== this.#version) {
        this.#at(await this.#found())
        return
      }

      const name = `${userInfo().username}@${hostname()} (${editor.env.appName})`
      const { port, localKeyFile } = host
      const prompts = editorPrompts(editor)
      const admitted = await EditorApprover.admit(
        { port, localKeyFile, name, prompts, clock },
        { frame: frame => this.#receive(frame), lost: () => this.#lost() },
      )
      if (!(admitted instanceof EditorApprover)) {
        this.#at({ at: 'not_admitted', problem: problemOf(admitted) })
        return
      }

      this.#approver = admitted
      if (this.#disposed) admitted.dispose()
      this.#at({ at: 'admitted' })
      this.#beginPage()
    } catch (cause) {
      this.#at({ at: 'not_admitted', problem: (cause as Error).message })
    }
  }

  #receive(frame: object): void {
    const { type } = frame as { readonly type?: unknown }
    if (this.#waiting.receive(frame)) this.#changed()
    if (type === 'admitted') this.#pageBegun = this.#pageListens && this.#approver !== null
    if (this.#pageBegun && type !== 'heartbeat') this.#panel?.frame(frame)
    if (type === 'question') this.#notify()
  }

  /** Once for each, and not of what is before the person already. */
  #notify(): void {
    const isFresh = this.#waiting.takeFresh() > 0
    if (isFresh && !this.#panel?.visible) notifyOfWaiting(this.#deps.editor, this.#waiting, () => this.review())
  }

  get #hereCommand(): string | null {
    return this.#link.at === 'no_host_in_container' ? this.#link.command : null
  }

  #lost(): void {
    this.#approver = null
    this.#pageBegun = false
    this.#waiting.forget()
    this.#at({ at: 'not_admitted', problem: NEW_HOST })
    void this.look()
  }

  /** The page listens, or the editor was admitted: with both there, the host sends it everything. */
  #beginPage(): void {
    if (this.#panel === null) return
    this.#pageListens = true
    this.#pageBegun = false
    this.#panel.link(this.#link, this.machine)
    this.#approver?.send({ type: 'page_opened' })
  }

  #endPage(): void {
    this.#panel = null
    this.#pageListens = false
    this.#pageBegun = false
    this.#approver?.send({ type: 'page_closed' })
  }

  #at(link: EditorLink): void {
    const before = JSON.stringify(this.#link)
    this.#link = link
    if (before === JSON.stringify(link)) return
    if (this.#pageListens) this.#panel?.link(link, this.machine)
    this.#changed()
  }

  #changed(): void {
    this.#deps.onChange()
  }
}

function problemOf(
  admission: Exclude<Awaited<ReturnType<typeof EditorApprover.admit>>, EditorApprover>,
): string | null {
  switch (admission.at) {
    case 'no_passphrase':
      return 'Nobody is admitted who could show a code, and no passphrase is set. Open the window, and choose one there.'
    case 'refused':
      return `This editor was not admitted: ${admission.reason}`
    case 'lost':
      return `The connection broke: ${admission.reason}`
    case 'admitted':
      return null
  }
}

const quoted = (word: string): string => (/^[\w./@%+=:,\\-]+$/.test(word) ? word : `"${word}"`)
