import type { EditorLink, FromPanelPage, PanelMachine, ToPanelPage } from '../../contract/window/editor-messages.ts'

interface EditorApi {
  postMessage(message: FromPanelPage): void
}
declare global {
  /** The editor's, and to be had once. */
  function acquireVsCodeApi(): EditorApi
}

export interface EditorListener {
  link(link: EditorLink, machine: PanelMachine): void
  sight(visible: boolean): void
  frame(frame: { readonly type: string }): void
}

/** The one way out of the panel: messages to the extension that made it, and from it. */
export class EditorChannel {
  readonly #api = acquireVsCodeApi()

  listen(listener: EditorListener): void {
    window.addEventListener('message', ({ origin, data }: MessageEvent<ToPanelPage>) => {
      // The editor hands messages on from inside this panel; a page of somebody else would have another origin.
      if (origin !== window.origin) return
      if (data.type === 'link') listener.link(data.link, data.machine)
      else if (data.type === 'sight') listener.sight(data.visible)
      else if (data.type === 'frame') listener.frame(data.frame)
    })
    this.say({ type: 'ready' })
  }

  say(message: FromPanelPage): void {
    this.#api.postMessage(message)
  }
}
