import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { NoticeLine } from '../parts/notice-line.tsx'
import { type Card, titleOf } from '../state/card.ts'

/** A no to several questions at once. There is no yes to several. */
export function BatchDecline({ controller, cards }: { controller: WindowController; cards: readonly Card[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [spared, setSpared] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState('')
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const chosen = cards.filter(({ question }) => !spared.has(question.ask_id))
  const flip = (askId: string): void => {
    const next = new Set(spared)
    if (!next.delete(askId)) next.add(askId)
    setSpared(next)
  }
  return (
    <dialog
      ref={dialog}
      class="m-auto w-[min(34rem,calc(100vw-2rem))] rounded-2xl border border-line bg-panel p-5 text-ink shadow-xl backdrop:bg-black/40"
      aria-labelledby="batch"
      onClose={() => controller.closeBatch()}
    >
      <h2 id="batch" class="mb-3 text-[17px] font-semibold">
        Decline {chosen.length} {chosen.length === 1 ? 'question' : 'questions'}
      </h2>
      <ul class="mb-3 max-h-[40vh] overflow-y-auto rounded-lg border border-line">
        {cards.map(({ question }) => (
          <li key={question.ask_id} class="border-line not-first:border-t">
            <label class="flex items-start gap-2.5 px-3 py-2">
              <input
                type="checkbox"
                class="mt-1 accent-accent"
                checked={!spared.has(question.ask_id)}
                onChange={() => flip(question.ask_id)}
              />
              <span class="line-clamp-2 min-w-0 font-mono text-[12.5px]">
                <Drawn text={titleOf(question).slice(0, 240)} />
              </span>
            </label>
          </li>
        ))}
      </ul>
      <label class="block">
        <span class="label mb-1 block">Why not? The agents read it. Empty is fine.</span>
        <input
          class="field"
          value={reason}
          maxLength={2000}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </label>
      <NoticeLine controller={controller} look="mt-3 font-medium" />
      <div class="mt-4 flex justify-end gap-2">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Back
        </button>
        <button
          type="button"
          class="button"
          data-decline-all
          aria-disabled={chosen.length === 0}
          onClick={() => {
            if (controller.declineAll(chosen, reason, controller.lastPress ?? controller.press()))
              dialog.current?.close()
          }}
        >
          Decline {chosen.length}
        </button>
      </div>
    </dialog>
  )
}
