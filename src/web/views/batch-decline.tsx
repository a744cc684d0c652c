import { useState } from 'preact/hooks'
import { WHY_NOT } from '../../approving/prompts.ts'
import { titleOf } from '../../approving/question.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { NoticeLine } from '../parts/notice-line.tsx'
import type { Card } from '../state/card.ts'

/** Declines several questions at once. Several are never approved at once. */
export function BatchDecline({ controller, cards }: { controller: WindowController; cards: readonly Card[] }) {
  const [spared, setSpared] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState('')
  const chosen = cards.filter(({ question }) => !spared.has(question.ask_id))
  const flip = (askId: string): void => {
    const next = new Set(spared)
    if (!next.delete(askId)) next.add(askId)
    setSpared(next)
  }
  return (
    <Dialog
      title={`Decline ${chosen.length} ${chosen.length === 1 ? 'question' : 'questions'}`}
      onClose={() => controller.closeBatch()}
    >
      {close => (
        <>
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
            <span class="label mb-1 block">{WHY_NOT}</span>
            <input
              class="field"
              value={reason}
              maxLength={2000}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </label>
          <NoticeLine controller={controller} look="mt-3 font-medium" />
          <div class="mt-4 flex justify-end gap-2">
            <button type="button" class="button" onClick={close}>
              Back
            </button>
            <button
              type="button"
              class="button"
              data-decline-all
              aria-disabled={chosen.length === 0}
              onClick={() => {
                if (controller.declineAll(chosen, reason, controller.watch.pressNow)) close()
              }}
            >
              Decline {chosen.length}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}
