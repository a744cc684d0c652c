import { Check, Timer, X } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { turnedAwayWords } from '../../approving/blocked-words.ts'
import { isGrave, titleOf } from '../../approving/question.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { ClaimedName } from '../parts/claimed-name.tsx'
import { Drawn } from '../parts/drawn.tsx'
import { HeldApproval } from '../parts/held-approval.tsx'
import { Icon } from '../parts/icon.tsx'
import { ProvedName } from '../parts/proved-name.tsx'
import { Waits } from '../parts/waits.tsx'
import { type Card, drawnAs, isOpen } from '../state/card.ts'
import { openCards, type WindowState } from '../state/window-model.ts'
import { BlockedCommands, Containers, LeftRunning, PagesList, StatusLine } from './lazy.tsx'

const TIDY_MS = 900
const LONGEST_TITLE = 240

/** The open questions, in the order they were asked. A new one comes last; one that is over stays until nobody points here. */
export function Rail({ controller, onPick }: { controller: WindowController; onPick: () => void }) {
  const state = controller.state.value
  const rail = useRef<HTMLElement>(null)
  const open = openCards(state)
  useTidy(controller, rail, state)
  return (
    <nav ref={rail} aria-label="Questions" class="flex h-full min-h-0 flex-col bg-ground" data-rail>
      <div class="flex h-11 shrink-0 items-center gap-2 px-4">
        <h2 class="text-[13px] font-semibold">Waiting for you</h2>
        {open.length > 0 && (
          <span class="pill pill-open tabular-nums" data-count>
            {open.length}
          </span>
        )}
        <span class="grow" />
        {open.length > 1 && (
          <button
            type="button"
            class="ghost text-[13px]"
            onClick={() => {
              controller.openBatch()
              onPick()
            }}
          >
            Decline all…
          </button>
        )}
        <button type="button" class="ghost hidden phone:inline-flex" aria-label="Close the list" onClick={onPick}>
          <Icon of={X} />
        </button>
      </div>
      <ul class="min-h-0 grow space-y-1 overflow-y-auto px-2 pb-2" aria-label="Open questions">
        {state.cards.map(card => (
          <Item key={card.question.ask_id} controller={controller} card={card} onPick={onPick} />
        ))}
        {state.cards.length === 0 && <li class="px-2 py-1 text-[13px] text-soft">No commands waiting.</li>}
      </ul>
      {state.left.length > 0 && <LeftRunning controller={controller} />}
      {state.turnedAway > 0 && (
        <p class="shrink-0 border-t border-line px-4 py-2 text-[13px] text-open" role="status" data-turned-away>
          {turnedAwayWords(state.turnedAway)}
        </p>
      )}
      {state.blocked && <BlockedCommands blocked={state.blocked} />}
      <Scopes controller={controller} />
      {state.paired.length > 0 && <Containers controller={controller} />}
      {controller.state.value.host?.in_container && (
        <p class="border-t border-line px-4 py-2 text-[12px] text-soft" data-in-container>
          <b>Host in a container.</b> Everything in this container can reach it.
        </p>
      )}
      <PagesList controller={controller} onPick={onPick} />
      <StatusLine controller={controller} />
    </nav>
  )
}

function Item({ controller, card, onPick }: { controller: WindowController; card: Card; onPick: () => void }) {
  const { question, phase } = card
  const { showing } = controller.state.value
  const current = showing.view === 'card' && showing.askId === question.ask_id
  const pick = (): void => {
    controller.show({ view: 'card', askId: question.ask_id })
    onPick()
  }
  return (
    <li>
      <button
        type="button"
        class={`flex w-full min-w-0 items-start gap-2.5 rounded-lg border px-2.5 py-2 text-left transition-colors ${
          current ? 'border-line bg-panel shadow-sm' : 'border-transparent hover:bg-raised'
        } ${isOpen(card) ? 'arrive' : 'text-soft'}`}
        aria-current={current ? 'true' : undefined}
        data-item={question.ask_id}
        onClick={pick}
      >
        <span class="mt-0.5">
          {phase.at === 'over' ? <Icon of={phase.how === 'approved' ? Check : X} /> : <Waits card={card} />}
        </span>
        <span class="min-w-0 grow">
          <span class="line-clamp-2 font-mono text-[12.5px] leading-snug">
            <Drawn text={titleOf(question).slice(0, LONGEST_TITLE)} as={drawnAs(question)} />
          </span>
          <span class="mt-0.5 flex items-center gap-1.5 text-[12px] text-soft">
            <span class="truncate">{phase.at === 'over' ? phase.text : <ClaimedName of={question} />}</span>
            {phase.at !== 'over' && <ProvedName requester={question.requester} />}
            {isGrave(question) && phase.at !== 'over' && <span class="pill pill-grave">hard to undo</span>}
          </span>
        </span>
      </button>
    </li>
  )
}

/** What was allowed for a while, how long it still holds, and a way to end it now. */
function Scopes({ controller }: { controller: WindowController }) {
  const { scopes } = controller.state.value
  if (scopes.length === 0) return null
  return (
    <section aria-label="Allowed for now" class="max-h-[30%] shrink-0 overflow-y-auto border-t border-line px-4 py-2">
      <h2 class="label mb-1 flex items-center gap-1.5">
        <Icon of={Timer} size={13} /> Allowed for now
      </h2>
      <ul class="space-y-1">
        {scopes.map(scope => (
          <HeldApproval key={scope.scope_id} controller={controller} scope={scope} />
        ))}
      </ul>
    </section>
  )
}

/** After a moment the next question comes, and what is over goes: from the list never while somebody points at it. */
function useTidy(controller: WindowController, rail: { current: HTMLElement | null }, { cards }: WindowState): void {
  const anyOver = cards.some(card => !isOpen(card))
  useEffect(() => {
    if (!anyOver) return undefined
    const tidy = (): void => {
      controller.dispatch({ type: 'advance' })
      if (!rail.current?.matches(':hover')) controller.dispatch({ type: 'tidy' })
    }
    const timer = setInterval(tidy, TIDY_MS)
    return () => clearInterval(timer)
  }, [anyOver, controller, rail])
}
