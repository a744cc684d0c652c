import { WindowFrame } from '../../contract/window/window-frames.ts'
import type { ApproverSession } from '../approvers/session.ts'
import type { FedWindow } from './feed.ts'

const FRAMES_OF_WINDOW = new Set<unknown>(WindowFrame.options.map(({ shape }) => shape.type.value))

/** What an admitted page sends: about questions to its session, anything else to its feed. */
export function receiveFromPage(
  raw: object,
  to: {
    readonly page: FedWindow
    readonly session: Pick<ApproverSession, 'receive'>
    readonly refuse: (reason: string) => void
  },
): void {
  const { type } = raw as { type?: unknown }
  // Whatever was on the screen of a page that nobody can see was not shown.
  if ((type === 'shown' || type === 'in_view') && !to.page.visible) return
  if (!FRAMES_OF_WINDOW.has(type)) to.session.receive(raw)
  else if (!to.page.receive(raw)) to.refuse('The host does not know this frame.')
}
