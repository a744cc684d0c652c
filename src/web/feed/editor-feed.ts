import type { EditorLink } from '../../contract/window/editor-messages.ts'
import type { FromWindow, ToWindow } from '../../contract/window/window-frames.ts'
import type { OutputPiece } from '../../contract/window/window-output.ts'
import type { ToApprover } from '../../contract/wire/approver-frames.ts'
import { bytesFrom } from './base64.ts'
import type { EditorChannel } from './editor-channel.ts'
import type { Feed, FeedEnds } from './feed.ts'

interface EditorFeedDeps extends FeedEnds {
  readonly channel: EditorChannel
  /** How far the editor is; what the page shows while it is not admitted. */
  readonly editor: Parameters<EditorChannel['listen']>[0]['link']
  readonly sight: (visible: boolean) => void
}

type OfLink = ToWindow | ToApprover

/** The same frames as over the window's WebSocket, through the editor's extension: that was admitted, and holds the connection. */
export class EditorFeed implements Feed {
  readonly #deps: EditorFeedDeps
  #admitted = false

  constructor(deps: EditorFeedDeps) {
    this.#deps = deps
  }

  open(): void {
    this.#deps.channel.listen({
      link: (link, machine) => {
        this.#lost(link)
        this.#deps.editor(link, machine)
      },
      sight: this.#deps.sight,
      frame: frame => this.#receive(frame as OfLink),
    })
  }

  send(frame: FromWindow): boolean {
    if (!this.#admitted) return false
    this.#deps.channel.say({ type: 'frame', frame })
    return true
  }

  /** Nothing counts from then on, until the host says `admitted` again. */
  #lost({ at }: EditorLink): void {
    if (at === 'admitted' || !this.#admitted) return
    this.#admitted = false
    this.#deps.link({ at: 'lost', since: this.#deps.now() })
  }

  #receive(frame: OfLink): void {
    if (frame.type === 'admitted') this.#admitted = true
    if (!this.#admitted || frame.type === 'heartbeat') return
    if (frame.type === 'terminal_output') this.#deps.output(outputOf(frame))
    else this.#deps.frame(frame as ToWindow)
  }
}

const outputOf = ({ stream, offset, data }: Extract<ToApprover, { type: 'terminal_output' }>): OutputPiece => ({
  stream,
  offset,
  bytes: bytesFrom(data),
})
