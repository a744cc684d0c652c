import { ArrowDown, Check, ChevronUp, Pencil, X } from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { canBeWider } from '../../approving/choices.ts'
import { isEditable } from '../../approving/question.ts'
import { WAYS } from '../../approving/scopes.ts'
import { chord } from '../controller/keys.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { NoticeLine } from '../parts/notice-line.tsx'
import { firstUnseen } from '../state/attention.ts'
import { type Card, editOf, mustType, yesOf } from '../state/card.ts'
import { decidePanel } from './decide-panel.tsx'
import { HoldButton } from './hold-button.tsx'
import { WiderRow } from './wider-row.tsx'

const NOTICE = 'mx-auto w-full max-w-[860px] px-6 pt-3 font-medium phone:px-4'

/** What decides. It never moves; its buttons come alive only when the card was read. */
export function DecideBar({ controller, card }: { controller: WindowController; card: Card }) {
  const { phase } = card
  if (phase.at === 'over') return <Over controller={controller} how={phase.how} text={phase.text} />
  return (
    <footer
      class="shrink-0 border-t border-line bg-panel shadow-[0_-6px_16px_-12px_rgb(0_0_0/0.25)]"
      data-decide
      data-settled={controller.watch.settled.value}
    >
      {decidePanel(controller, card)}
      {card.problem !== null && (
        <p role="alert" class="mx-auto max-w-[860px] px-6 pt-3 font-medium text-grave phone:px-4" data-problem>
          <Drawn text={card.problem} as="prose" />
        </p>
      )}
      {!controller.batch.value && <NoticeLine controller={controller} look={NOTICE} />}
      <WiderRow controller={controller} card={card} />
      <div class="mx-auto flex max-w-[860px] flex-wrap items-center gap-2 px-6 py-3 phone:px-4 phone:py-2.5">
        <Decline controller={controller} card={card} />
        <span class="grow phone:hidden" />
        <Unseen controller={controller} />
        {isEditable(card.question) && <Toggle controller={controller} card={card} panel="edit" />}
        {canBeWider(card.question) && <Toggle controller={controller} card={card} panel="scope" />}
        <Approve controller={controller} card={card} />
      </div>
    </footer>
  )
}

function Decline({ controller, card }: { controller: WindowController; card: Card }) {
  const button = useRef<HTMLButtonElement>(null)
  const { ask_id } = card.question
  // Where the keyboard is when a question comes up: on the answer that starts nothing.
  useLayoutEffect(() => {
    const { activeElement } = document
    if (!activeElement || activeElement === document.body || activeElement.closest('[data-decide], [data-rail]'))
      button.current?.focus({ preventScroll: true })
  }, [ask_id])
  const reasoned = card.draft.panel === 'decline'
  return (
    <div class="flex items-center gap-1">
      <button
        ref={button}
        type="button"
        class="button"
        data-decline
        aria-disabled={card.phase.at === 'sent'}
        onClick={() => controller.decline(card, controller.watch.pressNow)}
      >
        <Icon of={X} /> Decline
      </button>
      <button
        type="button"
        class="button phone:px-2.5"
        aria-expanded={reasoned}
        title="Decline with a reason (R)"
        onClick={() => controller.draft(ask_id, { panel: reasoned ? 'none' : 'decline' })}
      >
        <span class="phone:hidden">With a reason…</span>
        <span class="hidden phone:inline">Reason…</span>
      </button>
    </div>
  )
}

const TOGGLES = {
  edit: { icon: Pencil, name: 'Edit', title: 'Run another line instead (E)' },
  scope: { icon: ChevronUp, name: 'More…', title: 'Remember this approval (S)' },
} as const

function Toggle({ controller, card, panel }: { controller: WindowController; card: Card; panel: 'edit' | 'scope' }) {
  const { icon, name, title } = TOGGLES[panel]
  const open = card.draft.panel === panel
  return (
    <button
      type="button"
      class="button"
      title={title}
      aria-expanded={open}
      data-toggle={panel}
      onClick={() => controller.draft(card.question.ask_id, { panel: open ? 'none' : panel })}
    >
      <Icon of={icon} size={15} /> {name}
    </button>
  )
}

function approves(card: Card): string {
  if (card.phase.at === 'sent') return 'Sent…'
  if (editOf(card) !== null) return 'Approve edited'
  const words = canBeWider(card.question) ? WAYS[card.draft.choice].button : 'Approve'
  return card.draft.trust === null ? words : `${words} and trust`
}

function Approve({ controller, card }: { controller: WindowController; card: Card }) {
  const ready = controller.watch.ready.value === 'armed' && card.phase.at === 'open'
  const decision = yesOf(card, controller.state.value.graveText)
  // With the reason open the chord sends that: a label says only what the key would do now.
  const isFor = card.draft.panel !== 'decline'
  if (mustType(card))
    return (
      <HoldButton
        disabled={!ready || decision === null}
        press={() => controller.watch.press()}
        held={press => controller.approve(card, press)}
      >
        <Icon of={Check} /> Hold to approve
      </HoldButton>
    )
  return (
    <button
      type="button"
      class="button button-main min-w-[9.5rem] phone:grow"
      data-approve
      aria-disabled={!ready || decision === null}
      title={isFor ? `Approve (${chord})` : 'Approve'}
      onClick={() => controller.approve(card, controller.watch.pressNow)}
    >
      <Icon of={Check} /> {approves(card)} {isFor && <kbd class="key phone:hidden">{chord}</kbd>}
    </button>
  )
}

/** Says what is still missing, and goes there. */
function Unseen({ controller }: { controller: WindowController }) {
  const attention = controller.watch.attention.value
  if (controller.watch.ready.value !== 'unseen' || !attention || attention.height === null) return null
  const go = (): void => {
    document
      .querySelector('[data-body]')
      ?.scrollTo({ top: Math.max(0, (firstUnseen(attention) ?? 0) - 24), behavior: 'smooth' })
  }
  return (
    <button type="button" class="ghost px-2 text-open phone:order-first phone:w-full" onClick={go} data-unseen>
      <Icon of={ArrowDown} size={15} /> Read to the end <kbd class="key phone:hidden">Space</kbd>
    </button>
  )
}

const OVER = { approved: 'text-good', declined: 'text-soft', withdrawn: 'text-soft' } as const

const Over = ({ controller, how, text }: { controller: WindowController; how: keyof typeof OVER; text: string }) => (
  <footer class="shrink-0 border-t border-line bg-panel" data-over={how}>
    <NoticeLine controller={controller} look={NOTICE} />
    <p
      role="status"
      class={`mx-auto flex h-[61px] max-w-[860px] items-center gap-2 px-6 font-medium phone:px-4 ${OVER[how]}`}
    >
      <Icon of={how === 'approved' ? Check : X} /> <Drawn text={text} as="prose" />
    </p>
  </footer>
)
