import { render } from 'preact'
import type { ToWindow } from '../contract/window/window-frames.ts'
import { isTyping, listenToCopying, listenToKeys } from './controller/keys.ts'
import { WindowController } from './controller/window-controller.ts'
import type { Feed } from './feed/feed.ts'
import { openKeeper } from './feed/keeper.ts'
import type { Credential } from './feed/prove.ts'
import { SocketFeed } from './feed/socket-feed.ts'
import { takePreferences } from './parts/preferences.ts'
import { startClock } from './parts/waits.tsx'
import { CardView } from './views/lazy.tsx'
import { WindowView } from './views/window.tsx'

const NO_TICKET = 'Only the host can open this window. Start it again, and it opens one that is admitted.'

/** Builds the window and connects it: with its ticket, or with what it had before it was loaded again. */
export function openWindow(ticket: { readonly id: string; readonly secret: string } | null): void {
  const now = (): number => performance.now()
  const wallNow = (): number => performance.timeOrigin + performance.now()
  let feed: Feed | null = null
  const controller = new WindowController({
    now,
    wallNow,
    send: frame => feed?.send(frame) ?? false,
    busy: isTyping,
    isVisible,
    place: { kind: 'window' },
  })
  const keeper = openKeeper()
  const place = document.getElementById('window')
  if (!place) return
  place.replaceChildren()

  const showWindow = (): void => render(<WindowView controller={controller} />, place)
  const connect = (credential: Credential | null): void => {
    if (!credential) {
      void import('./views/open-code-page.tsx').then(({ openCodePage }) =>
        openCodePage({
          place,
          now,
          admitted: ticket => {
            showWindow()
            connect(ticket)
          },
          never: () => {
            showWindow()
            controller.link({ at: 'shut', why: NO_TICKET })
          },
        }),
      )
      return
    }

    const { link, output } = controller
    const frame = (frame: ToWindow): void =>
      frame.type === 'preferences' ? takePreferences(frame, controller.prefer) : controller.receive(frame)
    feed = new SocketFeed({ now, link, frame, output, keep: fresh => keeper?.keep(fresh) }, credential)
    feed.open()
  }

  if (ticket) connect({ kind: 'ticket', ...ticket })
  else void (keeper?.give() ?? Promise.resolve(null)).then(connect)

  startClock(now)
  listenToKeys(controller)
  listenToCopying()
  document.addEventListener('visibilitychange', () => controller.watch.notice({ type: 'page', visible: isVisible() }))

  showWindow()
  // What a question needs, before the first one comes.
  CardView.soon()
  void import('./views/notifications.ts').then(({ notifyOfQuestions }) => notifyOfQuestions(controller))
  void import('./views/secret-notifications.ts').then(({ notifyOfSecrets }) => notifyOfSecrets(controller))
}

const isVisible = (): boolean => document.visibilityState === 'visible'
