import { ArrowDown, Check, ChevronDown, Pencil, X } from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { HABIT_OFFER, isHabit } from '../../approving/arming.ts'
import { canBeWider, choiceOf, isSpelledOut } from '../../approving/choices.ts'
import { isEditable } from '../../approving/question.ts'
import { approvesInWords } from '../../approving/scopes.ts'
import { chord } from '../controller/keys.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { NoticeLine } from '../parts/notice-line.tsx'
import { firstUnseen } from '../state/attention.ts'
import { type Card, editOf, mustType, yesOf } from '../state/card.ts'
import { decidePanel } from './decide-panel.tsx'
import { HoldButton } from './hold-button.tsx'
import { TrustRow } from './trust-row.tsx'
import { Worded } from './worded.tsx'

const NOTICE = 'column w-full pt-3 font-medium'

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
        <p role="alert" class="column pt-3 font-medium text-grave" data-problem>
          <Drawn text={card.problem} as="prose" />
        </p>
      )}
      {!controller.batch.value && <NoticeLine controller={controller} look={NOTICE} />}
      <Habit controller={controller} card={card} />
      <div class="column flex flex-wrap items-center gap-2 py-3 phone:py-2.5 short:gap-1.5 short:py-1.5">
        <TrustRow controller={controller} card={card} />
        <div class="flex min-w-0 grow items-center gap-2 phone:flex-wrap short:contents">
          <Decline controller={controller} card={card} />
          {isEditable(card.question) && <Edit controller={controller} card={card} />}
          <Unseen controller={controller} />
          {canBeWider(card.question) ? (
            <div class="split ml-auto max-w-full phone:w-full">
              <Approve controller={controller} card={card} />
              <Always controller={controller} card={card} />
              <Wider controller={controller} card={card} />
            </div>
          ) : (
            <div class="ml-auto flex phone:grow">
              <Approve controller={controller} card={card} />
            </div>
          )}
        </div>
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
    <div class="split">
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
        class="button px-2.5 text-soft"
        aria-expanded={reasoned}
        title="Decline with a reason (R)"
        onClick={() => controller.draft(ask_id, { panel: reasoned ? 'none' : 'decline' })}
      >
        and say why…
      </button>
    </div>
  )
}

function Edit({ controller, card }: { controller: WindowController; card: Card }) {
  const open = card.draft.panel === 'edit'
  return (
    <button
      type="button"
      class="button"
      title="Run another line instead (E)"
      aria-expanded={open}
      data-toggle="edit"
      onClick={() => controller.draft(card.question.ask_id, { panel: open ? 'none' : 'edit' })}
    >
      <Icon of={Pencil} size={15} /> Edit
    </button>
  )
}

/** Said before the buttons, to who no longer reads them. The rule itself is the second part of the button below. */
function Habit({ controller, card }: { controller: WindowController; card: Card }) {
  const { question, draft } = card
  if (!isHabit(controller.state.value.reflexes) || question.kind !== 'command' || draft.panel !== 'none') return null
  const always = choiceOf(question, 'always')
  if (!always) return null
  return (
    <p class="column pt-2.5 text-[13px] text-open" role="status" data-habit>
      {HABIT_OFFER} <Worded choice={always} /> <kbd class="key phone:hidden">{always.key}</kbd>
    </p>
  )
}

/** The second part of the button: as easy as once, with what it allows in its own words. */
function Always({ controller, card }: { controller: WindowController; card: Card }) {
  const { question, draft } = card
  const always = question.kind === 'command' && draft.panel === 'none' ? choiceOf(question, 'always') : null
  if (question.kind !== 'command' || !always) return null
  const ready = controller.watch.ready.value === 'armed' && card.phase.at === 'open'
  return (
    <button
      type="button"
      class="button h-auto max-w-full shrink py-1 text-left whitespace-normal"
      data-choice="always"
      aria-disabled={isSpelledOut(question, always) && !ready}
      onClick={() => controller.give(card, always, controller.watch.pressNow)}
    >
      <span class="min-w-0">
        <Worded choice={always} />
      </span>{' '}
      <kbd class="key phone:hidden">{always.key}</kbd>
    </button>
  )
}

/** The last part: every other way, and the rules to change. */
function Wider({ controller, card }: { controller: WindowController; card: Card }) {
  const open = card.draft.panel === 'scope'
  return (
    <button
      type="button"
      class="button px-2.5"
      title={`${MORE_WAYS} (S)`}
      aria-label={MORE_WAYS}
      aria-expanded={open}
      data-toggle="scope"
      onClick={() => controller.draft(card.question.ask_id, { panel: open ? 'none' : 'scope' })}
    >
      <Icon of={ChevronDown} size={16} />
    </button>
  )
}
const MORE_WAYS = 'More ways to approve'

function approves(card: Card): string {
  if (card.phase.at === 'sent') return 'Sent…'
  if (editOf(card) !== null) return 'Approve edited'
  const words = canBeWider(card.question) ? approvesInWords(card.question, card.draft.choice) : 'Approve'
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
    <button
      type="button"
      class="ghost px-2 text-open phone:order-first phone:w-full short:order-none short:w-auto"
      onClick={go}
      data-unseen
    >
      <Icon of={ArrowDown} size={15} /> Read the rest <kbd class="key phone:hidden">Space</kbd>
    </button>
  )
}

const OVER = { approved: 'text-good', declined: 'text-soft', withdrawn: 'text-soft' } as const

const Over = ({ controller, how, text }: { controller: WindowController; how: keyof typeof OVER; text: string }) => (
  <footer class="shrink-0 border-t border-line bg-panel" data-over={how}>
    <NoticeLine controller={controller} look={NOTICE} />
    <p role="status" class={`column flex h-[61px] items-center gap-2 font-medium ${OVER[how]}`}>
      <Icon of={how === 'approved' ? Check : X} /> <Drawn text={text} as="prose" />
    </p>
  </footer>
)
