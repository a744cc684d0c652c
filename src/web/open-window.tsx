import { render } from 'preact'
import { Desk } from './desk.ts'
import { Feed } from './feed/feed.ts'
import { isTyping, listenToKeys } from './views/keys.ts'
import { CardView } from './views/lazy.tsx'
import { startClock } from './views/waits.tsx'
import { WindowView } from './views/window.tsx'

const NO_TICKET = 'Only the host can open this window. Start it again, and it opens one that is let in.'

/** Builds the window and connects it. */
export function openWindow(ticket: { readonly id: string; readonly secret: string } | null): void {
  const now = (): number => performance.now()
  const wallNow = (): number => performance.timeOrigin + performance.now()
  let feed: Feed | null = null
  const desk = new Desk({ now, wallNow, send: frame => feed?.send(frame) ?? false, busy: isTyping })
  const link: Desk['link'] = state => desk.link(state)
  if (ticket) {
    const output: Desk['output'] = piece => desk.output(piece)
    feed = new Feed({ now, link, frame: frame => desk.receive(frame), output }, { kind: 'ticket', ...ticket })
    feed.open()
  } else link({ at: 'shut', why: NO_TICKET })
  startClock(now)
  listenToKeys(desk)
  document.addEventListener('visibilitychange', () =>
    desk.notice({ type: 'page', visible: document.visibilityState === 'visible' }),
  )
  const place = document.getElementById('window')
  if (!place) return
  place.replaceChildren()
  render(<WindowView desk={desk} />, place)
  // What a question needs, before the first one comes.
  CardView.soon()
  void import('./views/heralds.ts').then(({ herald }) => herald(desk))
}
