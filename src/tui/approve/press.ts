import { TOO_FAST, UNSEEN } from '../../approving/arming.ts'
import { canBeWider } from '../../approving/choices.ts'
import { type Decision, declineWays, declineWith, ONCE } from '../../approving/decision.ts'
import { isEditable, isGrave, lineOf } from '../../approving/question.ts'
import { WAYS } from '../../approving/scopes.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { choose, chooseAtOnce, decideRules, ruled, trust, withTrust } from './choose.ts'
import { drawn } from './drawn.ts'
import { fieldWith, typedInto } from './field.ts'
import { isChar, isNamed, type Key } from './keys.ts'
import type { Pressed, Ways } from './pressed.ts'
import { type ApproveState, type Checking, currentCard, isArmed, turnTo } from './state.ts'
import { hasSecrets } from './variables.ts'

export interface Circumstances {
  readonly now: number
  /** It came alone: keys that come in a burst were typed before anybody could have read the question. */
  readonly alone: boolean
  /** Rows of a question that are on the screen at once. */
  readonly page: number
}

/** Ends the first of what an agent left running, by a key that came alone; with several, one press for each. */
function endsLeft(touched: ApproveState, { left }: ApproveState, at: Circumstances): Pressed {
  const [first] = left
  if (!first || !at.alone) return { state: touched }
  const { requester, run_id } = first
  return { state: { ...touched, notice: 'Ending it …' }, ask: { type: 'end_run', requester, run_id } }
}

/** The state after a key. Only here does anything decide, and only when it may: seen, armed, and meant for this question. */
export function press(state: ApproveState, key: Key, at: Circumstances): Pressed {
  // Who only reads on has not touched anything that could decide.
  const touched = state.mode.at === 'looking' && readsOn(key) ? state : { ...state, touchedAt: at.now }
  if (key.kind === 'named' && key.name === 'quit') return { state: touched, quit: true }
  if (state.mode.at === 'looking' && isChar(key, 'K')) return endsLeft(touched, state, at)
  const card = currentCard(state)
  if (!card) {
    if (isChar(key, 'x')) return dismiss(touched)
    return isChar(key, 'q') ? { state: touched, quit: true } : { state: stray(touched, key) }
  }

  const { question } = card
  const decide = (decision: Decision): Pressed => {
    const isNo = decision.kind === 'decline'
    // Declining starts nothing, so it needs no pause; but what came in one burst with other keys was not meant for anything.
    if (isNo && !at.alone) return { state: { ...touched, notice: 'Press enter once more to decline.' } }
    if (!isNo && (!at.alone || !isArmed(state, at.now))) return { state: { ...touched, notice: TOO_FAST } }
    const seenAll = state.seenAll && (state.mode.at !== 'checking' || state.mode.seenAll)
    if (!isNo && !seenAll) return { state: { ...touched, notice: UNSEEN } }

    const answer = {
      type: 'answer',
      ask_id: question.ask_id,
      plan_hash: question.plan_hash,
      decision: withTrust(decision, state.trust, question),
    } as const
    const from = state.mode.at === 'sent' ? state.mode.from : state.mode
    return { state: { ...touched, mode: { at: 'sent', from }, notice: null }, answer }
  }

  const go = (mode: ApproveState['mode']): Pressed => ({ state: { ...touched, mode, top: 0, notice: null } })
  const back = go({ at: 'looking' })
  const { mode } = state

  switch (mode.at) {
    case 'looking':
      return look(touched, key, question, { decide, go, page: at.page })
    case 'keys':
      return back

    case 'declining':
      if (isNamed(key, 'escape')) return back
      if (isNamed(key, 'enter')) return decide(declineWith(mode.field.text, declineWays(question)[mode.way]?.keep))
      if (isNamed(key, 'tab')) return go({ ...mode, way: (mode.way + 1) % declineWays(question).length })
      return go({ ...mode, field: typedInto(mode.field, key) })

    case 'editing':
      if (isNamed(key, 'escape')) return back
      if (isNamed(key, 'enter')) {
        const command = mode.field.text
        if (command.trim() === '') return back
        const { state: checking } = go({ at: 'checking', command, judged: null, seenAll: false })
        return { state: checking, ask: { type: 'judge', ask_id: question.ask_id, command } }
      }
      return go({ ...mode, field: typedInto(mode.field, key) })
    case 'checking':
      if (isNamed(key, 'escape')) return back
      if (isChar(key, 'e')) return go({ at: 'editing', field: fieldWith(mode.command) })
      if (isChar(key, 'a')) return approveEdited(mode, { decide, go, stay: { state: touched } })
      return { state: scrolled(touched, key, at.page) }

    case 'choosing':
      return isNamed(key, 'escape') ? back : choose(question, key, { decide, go, stay: { state: touched } })
    case 'ruling':
      if (isNamed(key, 'escape')) return back
      if (isNamed(key, 'enter')) return decideRules(mode, { decide, back })
      return go(ruled(mode, key))
    case 'trusting':
      if (isNamed(key, 'escape')) return { state: { ...back.state, trust: null } }
      if (isNamed(key, 'enter')) return { state: { ...back.state, trust: mode.field.text.trim() || null } }
      return go({ ...mode, field: typedInto(mode.field, key) })

    case 'typing': {
      if (isNamed(key, 'escape')) return back
      if (!isNamed(key, 'enter'))
        return go({ ...mode, field: key.kind === 'paste' ? mode.field : typedInto(mode.field, key) })
      if (mode.field.text !== state.graveText) return { state: { ...touched, notice: 'That is not the text.' } }
      return decide({ ...mode.decision, typed: mode.field.text })
    }
    case 'sent':
      return { state: touched }
  }
}

function look(state: ApproveState, key: Key, question: Question, ways: Ways & { readonly page: number }): Pressed {
  if (key.kind === 'named' || isChar(key, ' ')) return { state: scrolled({ ...state, notice: null }, key, ways.page) }
  if (key.kind === 'paste') return { state }
  // In the middle of words for something else no letter opens anything.
  if (state.touchedAt - state.strayAt < state.armingMs) return { state: stray(state, key) }
  if (CHOICE_KEYS.has(key.char))
    return chooseAtOnce(question, key, {
      ...ways,
      stay: { state },
      once: () => look(state, { ...key, char: 'a' }, question, ways),
    })

  switch (key.char) {
    case 'x':
      return dismiss(state)
    case 'a':
      return approveOnce(ONCE, { grave: isGrave(question), edited: null }, ways)
    case 'd':
    case 'r':
      return ways.go({ at: 'declining', field: fieldWith(''), way: 0 })

    case 'j':
      return { state: nextCard(state, 1) }
    case 'k':
      return { state: nextCard(state, -1) }
    case '?':
      return ways.go({ at: 'keys' })

    case 'e':
      return isEditable(question) ? ways.go({ at: 'editing', field: fieldWith(lineOf(question)) }) : { state }
    case 's':
      return canBeWider(question) ? ways.go({ at: 'choosing' }) : { state }
    case 't':
      return trust(state, question, ways)
    case 'v':
      return { state: hasSecrets(question) ? { ...state, revealed: !state.revealed } : state }

    case 'q':
      return { state, quit: true }
    default:
      return { state: stray(state, key) }
  }
}

const CHOICE_KEYS: ReadonlySet<string> = new Set(Object.values(WAYS).map(({ key }) => key))

const stray = (state: ApproveState, key: Key): ApproveState =>
  key.kind === 'char' ? { ...state, strayAt: state.touchedAt } : state

const READING = new Set(['up', 'down', 'page_up', 'page_down', 'home', 'end'])
const readsOn = (key: Key): boolean => (key.kind === 'named' ? READING.has(key.name) : isChar(key, ' '))

/** Grave ones are typed out first; everything else is one key. */
const approveOnce = (
  decision: Extract<Decision, { kind: 'approve' | 'edit' }>,
  { grave, edited }: { readonly grave: boolean; readonly edited: Checking | null },
  ways: Ways,
): Pressed => (grave ? ways.go({ at: 'typing', field: fieldWith(''), decision, edited }) : ways.decide(decision))

/** Only what the host has judged, under the plan it was shown with. */
function approveEdited(edited: Checking, { stay, ...ways }: Ways & { readonly stay: Pressed }): Pressed {
  const { command, judged, seenAll } = edited
  if (judged === null) return stay
  if (judged.plan_hash === null) return { state: { ...stay.state, notice: drawn(judged.problem ?? '') } }
  if (!seenAll) return { state: { ...stay.state, notice: UNSEEN } }
  return approveOnce({ kind: 'edit', command, plan_hash: judged.plan_hash }, { grave: judged.grave, edited }, ways)
}

/** Whoever asks for admission first is refused; with nobody there, the alarm has been read. */
function dismiss(state: ApproveState): Pressed {
  const [first] = state.admissions
  if (!first) return { state: { ...state, alarm: null } }
  return { state, ask: { type: 'refuse_admission', admission_id: first.asked.admission_id } }
}

function scrolled(state: ApproveState, key: Key, page: number): ApproveState {
  // One row of the page before stays, so that nobody loses the place.
  const rows = Math.max(1, page - 1)
  switch (key.kind === 'named' ? key.name : isChar(key, ' ') ? 'page_down' : 'other') {
    case 'down':
      return { ...state, top: state.top + 1 }
    case 'up':
      return { ...state, top: Math.max(0, state.top - 1) }
    case 'page_down':
      return { ...state, top: state.top + rows }
    case 'page_up':
      return { ...state, top: Math.max(0, state.top - rows) }
    case 'home':
      return { ...state, top: 0 }
    case 'end':
      return { ...state, top: Number.MAX_SAFE_INTEGER }
    case 'tab':
      return state.mode.at === 'looking' ? nextCard(state, 1) : state
    default:
      return state
  }
}

/** To the next question, or the one before, round and round. */
function nextCard(state: ApproveState, by: 1 | -1): ApproveState {
  const count = state.cards.length
  const at = state.cards.findIndex(({ question }) => question.ask_id === state.current)
  const next = state.cards[(at + by + count) % count]?.question.ask_id ?? null
  return next === state.current ? state : turnTo(state, next, state.touchedAt)
}
