import { ArrowDown, Check, ChevronUp, Pencil, X } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import type { Desk } from '../desk.ts'
import { firstUnseen } from '../state/attention.ts'
import { type Card, canBeWider, editOf, isEditable, mustType, yesOf } from '../state/card.ts'
import { Drawn } from '../views/drawn.tsx'
import { Icon } from '../views/icon.tsx'
import { chord } from '../views/keys.ts'
import { decidePanel } from './decide-panel.tsx'
import { HoldButton } from './hold-button.tsx'

/** What decides. It stands still; its buttons come alive only when the card was read. */
export function DecideBar({ desk, card }: { desk: Desk; card: Card }) {
  const { phase } = card
  if (phase.at === 'over') return <Over how={phase.how} text={phase.text} />
  return (
    <footer
      class="shrink-0 border-t border-line bg-panel shadow-[0_-6px_16px_-12px_rgb(0_0_0/0.25)]"
      data-decide
      data-settled={desk.settled.value}
    >
      {decidePanel(desk, card)}
      {card.problem !== null && (
        <p role="alert" class="mx-auto max-w-[860px] px-6 pt-3 font-medium text-grave phone:px-4" data-problem>
          <Drawn text={card.problem} />
        </p>
      )}
      <div class="mx-auto flex max-w-[860px] flex-wrap items-center gap-2 px-6 py-3 phone:px-4 phone:py-2.5">
        <Decline desk={desk} card={card} />
        <span class="grow phone:hidden" />
        <Unseen desk={desk} />
        {isEditable(card.question) && <Toggle desk={desk} card={card} panel="edit" />}
        {canBeWider(card.question) && <Toggle desk={desk} card={card} panel="scope" />}
        <Approve desk={desk} card={card} />
      </div>
    </footer>
  )
}

function Decline({ desk, card }: { desk: Desk; card: Card }) {
  const button = useRef<HTMLButtonElement>(null)
  const { ask_id } = card.question
  // Where the keyboard is when a question comes up: on the answer that starts nothing.
  useEffect(() => {
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
        onClick={() => desk.decline(card, pressOf(desk))}
      >
        <Icon of={X} /> Decline
      </button>
      <button
        type="button"
        class="button phone:px-2.5"
        aria-expanded={reasoned}
        title="Decline with a reason (R)"
        onClick={() => desk.draft(ask_id, { panel: reasoned ? 'none' : 'decline' })}
      >
        <span class="phone:hidden">With a reason…</span>
        <span class="hidden phone:inline">Reason…</span>
      </button>
    </div>
  )
}

const TOGGLES = {
  edit: { icon: Pencil, name: 'Edit', title: 'Run another line instead (E)' },
  scope: { icon: ChevronUp, name: 'Scope', title: 'How far the yes reaches (S)' },
} as const

function Toggle({ desk, card, panel }: { desk: Desk; card: Card; panel: 'edit' | 'scope' }) {
  const { icon, name, title } = TOGGLES[panel]
  const open = card.draft.panel === panel
  return (
    <button
      type="button"
      class="button"
      title={title}
      aria-expanded={open}
      data-toggle={panel}
      onClick={() => desk.draft(card.question.ask_id, { panel: open ? 'none' : panel })}
    >
      <Icon of={icon} size={15} />
      {panel === 'scope' && <span class="sr-only">Reaches: </span>}
      {panel === 'scope' ? SCOPES[card.draft.scope] : name}
    </button>
  )
}

export const SCOPES = { once: 'Once', terminal: 'This terminal', time: 'For a while', workspace: 'Workspace' } as const

function Approve({ desk, card }: { desk: Desk; card: Card }) {
  const ready = desk.ready.value === 'armed' && card.phase.at === 'open'
  const decision = yesOf(card, desk.state.value.graveText)
  const words = card.phase.at === 'sent' ? 'Sent…' : editOf(card) === null ? 'Approve' : 'Approve edited'
  if (mustType(card))
    return (
      <HoldButton
        disabled={!ready || decision === null}
        press={() => desk.press()}
        held={press => desk.approve(card, press)}
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
      title={`Approve (${chord})`}
      onClick={() => desk.approve(card, pressOf(desk))}
    >
      <Icon of={Check} /> {words} <kbd class="key phone:hidden">{chord}</kbd>
    </button>
  )
}

/** Says what is still missing, and goes there. */
function Unseen({ desk }: { desk: Desk }) {
  const attention = desk.attention.value
  if (desk.ready.value !== 'unseen' || !attention || attention.height === null) return null
  const go = (): void => {
    document
      .querySelector('[data-body]')
      ?.scrollTo({ top: Math.max(0, (firstUnseen(attention) ?? 0) - 24), behavior: 'smooth' })
  }
  return (
    <button type="button" class="ghost px-2 text-open phone:order-first phone:w-full" onClick={go} data-unseen>
      <Icon of={ArrowDown} size={15} /> Read to the end
    </button>
  )
}

const OVER = { approved: 'text-good', declined: 'text-soft', withdrawn: 'text-soft' } as const

const Over = ({ how, text }: { how: keyof typeof OVER; text: string }) => (
  <footer class="shrink-0 border-t border-line bg-panel" data-over={how}>
    <p
      role="status"
      class={`mx-auto flex h-[61px] max-w-[860px] items-center gap-2 px-6 font-medium phone:px-4 ${OVER[how]}`}
    >
      <Icon of={how === 'approved' ? Check : X} /> <Drawn text={text} />
    </p>
  </footer>
)

/** A click counts as it was meant when the button or key went down (views/keys.ts keeps it). */
const pressOf = (desk: Desk) => desk.lastPress ?? desk.press()
