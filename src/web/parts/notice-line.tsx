import { useEffect } from 'preact/hooks'
import type { WindowController } from '../controller/window-controller.ts'
import { cardOf } from '../state/window-model.ts'
import { Drawn } from './drawn.tsx'

const NOTICE_MS = 6000

/** What is said for a moment: one thing at a time. Goes by itself after a while; a click sends it away sooner. */
export function NoticeLine({ controller, look = '' }: { controller: WindowController; look?: string }) {
  const { notice } = controller.state.value
  const number = notice?.number ?? 0
  const dismiss = (): void => controller.dispatch({ type: 'dismiss', number })
  useEffect(() => {
    const timer = setTimeout(dismiss, NOTICE_MS)
    return () => clearTimeout(timer)
  }, [number])
  return (
    <div aria-live="assertive" class="contents">
      {notice && (
        <button
          key={number}
          type="button"
          class={`arrive block text-left ${notice.tone === 'bad' ? 'text-grave' : ''} ${look}`}
          title="Dismiss"
          data-notice
          onClick={dismiss}
        >
          <Drawn text={notice.text} as="prose" />
        </button>
      )}
    </div>
  )
}

/**
 * Over a terminal or the start page, and at the foot of another page, whose tools are above. A question has a line of its own for it
 * below, so that nothing ever covers one.
 */
export function NoticeAbove({ controller }: { controller: WindowController }) {
  const { showing } = controller.state.value
  const hasLine = showing.view === 'card' && cardOf(controller.state.value, showing.askId)
  if (hasLine || controller.batch.value) return null
  return (
    <div
      class={`pointer-events-none absolute inset-x-0 z-10 flex flex-col items-center px-4 ${showing.view === 'page' ? 'bottom-4' : 'top-3'}`}
    >
      <NoticeLine
        controller={controller}
        look="pointer-events-auto max-w-xl rounded-lg border border-rim bg-panel px-4 py-2 shadow-lg"
      />
    </div>
  )
}
