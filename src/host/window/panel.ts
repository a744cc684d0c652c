import { Disposables } from '../../base/disposable.ts'
import type { Link } from '../../base/link/link.ts'
import type { PanelHolder } from '../approvers/connection.ts'
import { type ApproverSession, NOT_ADMITTED, refuse } from '../approvers/session.ts'
import { failed } from '../pages/page.ts'
import type { FedWindow, PageSink, WindowFeed } from './feed.ts'
import { receiveFromPage } from './page-frames.ts'

/** What only a person presses, in a page that is before them. */
const PRESSED_IN_PAGE: ReadonlySet<unknown> = new Set(['answer', 'judge', 'end_run', 'refuse_admission'])
const PASSPHRASE: ReadonlySet<unknown> = new Set(['passphrase_set', 'terminals_unlock'])
const NO_PASSPHRASE =
  'The passphrase is not typed into an editor: its extensions share one process and could read it. Use the window, or "approve" in a terminal.'

/** How many panels have a page open now. */
export class Panels {
  #open = 0

  get count(): number {
    return this.#open
  }

  opened(): { dispose(): void } {
    let isOpen = true
    this.#open += 1
    return {
      dispose: () => {
        if (isOpen) this.#open -= 1
        isOpen = false
      },
    }
  }
}

/**
 * An editor that was admitted. It hears of questions all the time; while its page is open it is a window: the same feed, over the
 * link the editor's extension holds.
 */
export function openPanel(
  deps: { readonly feed: WindowFeed; readonly panels: Panels },
  link: Link,
  session: ApproverSession,
): PanelHolder {
  let page: (FedWindow & { readonly life: Disposables }) | null = null
  const close = () => {
    page?.life.dispose()
    page = null
  }
  const sink: PageSink = {
    get open() {
      return link.open
    },
    mostUndrawn: 512 * 1024,
    send: frame => void (link.open && link.send(frame)),
    sendOutput: ({ stream, offset, bytes }) =>
      void link.send({ type: 'terminal_output', stream, offset, data: Buffer.from(bytes).toString('base64') }),
  }
  const open = () => {
    close()
    session.greet()
    deps.feed.greet(sink)
    session.follow()
    const life = new Disposables()
    life.add(deps.panels.opened())
    page = Object.assign(life.add(deps.feed.open(sink, session.signature)), { life })
  }

  return {
    dispose: close,
    receive(raw) {
      const { type, request_id } = raw as { type?: unknown; request_id?: unknown }
      if (type === 'page_opened') open()
      else if (type === 'page_closed') close()
      // Outlives this host and this editor, so it is not given where others can read along.
      else if (PASSPHRASE.has(type) && typeof request_id === 'string')
        sink.send(failed(request_id, 'PM_TERM_APPROVAL_REQUIRED', NO_PASSPHRASE))
      else if (page) receiveFromPage(raw, { page, session, refuse: reason => refuse(link, reason) })
      // Without a page nobody has a question before them.
      else if (PRESSED_IN_PAGE.has(type)) refuse(link, NOT_ADMITTED)
      else session.receive(raw)
    },
  }
}
