import type { FromWindow, ToWindow } from '../../contract/window/window-frames.ts'
import type { OutputPiece } from '../../contract/window/window-output.ts'
import type { LinkState } from '../state/window-model.ts'

/** The page's connection to the host, whatever it goes over: a WebSocket (socket-feed) or the messages of an editor (editor-feed). */
export interface Feed {
  open(): void
  /** False: there is nobody to hear it. */
  send(frame: FromWindow): boolean
}

/** What a feed says to the page. */
export interface FeedEnds {
  readonly now: () => number
  readonly link: (state: LinkState) => void
  readonly frame: (frame: ToWindow) => void
  readonly output: (piece: OutputPiece) => void
}
