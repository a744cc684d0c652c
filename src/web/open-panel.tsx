import { signal } from '@preact/signals'
import { render } from 'preact'
import type { PanelAction } from '../contract/window/editor-messages.ts'
import type { ToWindow } from '../contract/window/window-frames.ts'
import { isTyping, listenToCopying, listenToKeys } from './controller/keys.ts'
import { WindowController } from './controller/window-controller.ts'
import { EditorChannel } from './feed/editor-channel.ts'
import { EditorFeed } from './feed/editor-feed.ts'
import { takePreferences } from './parts/preferences.ts'
import { startClock } from './parts/waits.tsx'
import { CardView } from './views/lazy.tsx'
import { type PanelState, PanelView } from './views/panel-view.tsx'

/** Builds the window inside an editor's panel, over the connection that the editor's extension holds. */
export function openPanel(): void {
  const now = (): number => performance.now()
  const wallNow = (): number => performance.timeOrigin + performance.now()
  const channel = new EditorChannel()
  const panel = signal<PanelState>({ link: { at: 'looking' }, machine: null })
  // Not before the editor has said so: a panel that it makes in the background was shown to nobody.
  let inFront = false
  const isVisible = (): boolean => inFront && document.visibilityState === 'visible'
  const controller: WindowController = new WindowController({
    now,
    wallNow,
    send: frame => feed.send(frame),
    busy: isTyping,
    isVisible,
    place: {
      kind: 'editor',
      openLink: url => channel.say({ type: 'open_link', url }),
      save: file => channel.say({ type: 'save', ...file }),
    },
  })

  const { link, output } = controller
  const frame = (frame: ToWindow): void =>
    frame.type === 'preferences' ? takePreferences(frame, controller.prefer) : controller.receive(frame)
  const noticeSight = (): void => controller.watch.notice({ type: 'page', visible: isVisible() })
  const feed = new EditorFeed({
    now,
    link,
    frame,
    output,
    channel,
    editor: (link, machine) => {
      panel.value = { link, machine }
    },
    sight: visible => {
      inFront = visible
      noticeSight()
    },
  })

  startClock(now)
  listenToKeys(controller)
  listenToCopying()
  document.addEventListener('visibilitychange', noticeSight)
  const place = document.getElementById('window')
  const act = (action: PanelAction): void => channel.say({ type: 'action', action })
  if (place) render(<PanelView controller={controller} panel={panel} act={act} />, place)
  CardView.soon()
  feed.open()
}
