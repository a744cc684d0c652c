import type { AnswerFrame, FromApprover, Question } from '../contract/approver-frames.ts'
import { drawn } from './approve-drawn.ts'
import { type Field, fieldWith, typedInto } from './approve-field.ts'
import type { Key } from './approve-keys.ts'
import {
  type ApproveState,
  type Checking,
  currentCard,
  type Decision,
  isArmed,
  turnTo,
  type WiderScope,
} from './approve-state.ts'

export interface Pressed {
  readonly state: ApproveState
  readonly answer?: AnswerFrame
  /** Decides nothing: a verdict is wanted, or somebody is not let in. */
  readonly ask?: Extract<FromApprover, { type: 'judge' | 'refuse_admission' }>
  readonly quit?: true
}

export interface Circumstances {
  readonly now: number
  /** It came alone: keys that come in a burst were typed before anybody could have read the question. */
  readonly alone: boolean
}

const WIDER: Readonly<Record<string, WiderScope>> = {
  2: { kind: 'terminal' },
  3: { kind: 'workspace' },
  4: { kind: 'time', minutes: 15 },
  5: { kind: 'time', minutes: 60 },
  6: { kind: 'time', minutes: 480 },
}
const TOO_FAST = 'Too fast: nothing was decided. Wait a moment, then press again.'
const UNSEEN = 'Not all of it was on the screen yet: go down first.'

/** The state after a key. Only here does anything decide, and only when it may: seen, armed, and meant for this question. */
export function press(state: ApproveState, key: Key, at: Circumstances): Pressed {
  const touched = { ...state, touchedAt: at.now }
  if (key.kind === 'named' && key.name === 'quit') return { state: touched, quit: true }
  const card = currentCard(state)
  if (!card) {
    if (char(key, 'x')) return putAway(touched)
    return char(key, 'q') ? { state: touched, quit: true } : { state: touched }
  }
  const { question } = card
  const decide = (decision: Decision): Pressed => {
    // A no needs no pause after its last word, only after the key that began it: it starts nothing.
    const since = state.mode.at === 'declining' ? { ...state, touchedAt: state.mode.since } : state
    if (!at.alone || !isArmed(since, at.now)) return { state: { ...touched, notice: TOO_FAST } }
    const seenAll = state.seenAll && (state.mode.at !== 'checking' || state.mode.seenAll)
    if (decision.kind !== 'decline' && !seenAll) return { state: { ...touched, notice: UNSEEN } }
    const answer = { type: 'answer', ask_id: question.ask_id, plan_hash: question.plan_hash, decision } as const
    const from = state.mode.at === 'sent' ? state.mode.from : state.mode
    return { state: { ...touched, mode: { at: 'sent', from }, notice: null }, answer }
  }
  const go = (mode: ApproveState['mode']): Pressed => ({ state: { ...touched, mode, top: 0, notice: null } })
  const back = go({ at: 'looking' })
  const { mode } = state
  switch (mode.at) {
    case 'looking':
      return look(touched, key, question, { decide, go })
    case 'declining':
      if (named(key, 'escape')) return back
      if (named(key, 'enter')) return decide({ kind: 'decline', reason: mode.field.text.trim() || null })
      return go({ ...mode, field: typedInto(mode.field, key) })
    case 'editing':
      if (named(key, 'escape')) return back
      if (named(key, 'enter')) {
        const command = mode.field.text
        if (command.trim() === '') return back
        const { state: checking } = go({ at: 'checking', command, judged: null, seenAll: false })
        return { state: checking, ask: { type: 'judge', ask_id: question.ask_id, command } }
      }
      return go({ ...mode, field: typedInto(mode.field, key) })
    case 'checking':
      if (named(key, 'escape')) return back
      if (char(key, 'e')) return go({ at: 'editing', field: fieldWith(mode.command) })
      if (char(key, 'a')) return approveEdited(mode, { decide, go, stay: { state: touched } })
      return { state: key.kind === 'named' ? scrolled(touched, key.name) : touched }
    case 'choosing': {
      if (named(key, 'escape')) return back
      if (char(key, '1')) return decide({ kind: 'approve', scope: { kind: 'once' } })
      const scope = key.kind === 'char' ? WIDER[key.char] : undefined
      const rules = question.kind === 'command' ? question.proposed_rules.map(fieldWith) : []
      return scope ? go({ at: 'ruling', scope, rules, row: 0 }) : { state: touched }
    }
    case 'ruling':
      if (named(key, 'escape')) return back
      if (named(key, 'enter')) return decideRules(mode, decide, back)
      return go(ruled(mode, key))
    case 'typing': {
      if (named(key, 'escape')) return back
      if (!named(key, 'enter'))
        return go({ ...mode, field: key.kind === 'paste' ? mode.field : typedInto(mode.field, key) })
      if (mode.field.text !== state.graveText) return { state: { ...touched, notice: 'That is not the text.' } }
      return decide({ ...mode.decision, typed: mode.field.text })
    }
    case 'sent':
      return { state: touched }
  }
}

interface Ways {
  readonly decide: (decision: Decision) => Pressed
  readonly go: (mode: ApproveState['mode']) => Pressed
}

function look(state: ApproveState, key: Key, question: Question, ways: Ways): Pressed {
  if (key.kind === 'named') return { state: scrolled({ ...state, notice: null }, key.name) }
  if (key.kind === 'paste') return { state }
  switch (key.char) {
    case 'x':
      return putAway(state)
    case 'a':
      return approveOnce({ kind: 'approve', scope: { kind: 'once' } }, { grave: isGrave(question), edited: null }, ways)
    case 'd':
      return ways.go({ at: 'declining', field: fieldWith(''), since: state.touchedAt })
    case 'e':
      return isEditable(question) ? ways.go({ at: 'editing', field: fieldWith(asLine(question)) }) : { state }
    case 's':
      return canBeWider(question) ? ways.go({ at: 'choosing' }) : { state }
    case 'q':
      return { state, quit: true }
    default:
      return { state }
  }
}

/** Grave ones are typed out first; everything else is one key. */
const approveOnce = (
  decision: Extract<Decision, { kind: 'approve' | 'edit' }>,
  { grave, edited }: { readonly grave: boolean; readonly edited: Checking | null },
  ways: Ways,
): Pressed => (grave ? ways.go({ at: 'typing', field: fieldWith(''), decision, edited }) : ways.decide(decision))

const isGrave = (question: Question): boolean => question.kind === 'command' && question.grave

/** Only what the host has judged, under the plan it was shown with. */
function approveEdited(edited: Checking, { stay, ...ways }: Ways & { readonly stay: Pressed }): Pressed {
  const { command, judged, seenAll } = edited
  if (judged === null) return stay
  if (judged.plan_hash === null) return { state: { ...stay.state, notice: drawn(judged.problem ?? '') } }
  if (!seenAll) return { state: { ...stay.state, notice: UNSEEN } }
  return approveOnce({ kind: 'edit', command, plan_hash: judged.plan_hash }, { grave: judged.grave, edited }, ways)
}

/** Whoever knocks first is not let in; with nobody there, the alarm has been heard. */
function putAway(state: ApproveState): Pressed {
  const [knock] = state.knocks
  if (!knock) return { state: { ...state, alarm: null } }
  return { state, ask: { type: 'refuse_admission', admission_id: knock.asked.admission_id } }
}

export const isEditable = (question: Question): boolean =>
  question.kind === 'command' && question.intent === 'execute_command'

export const canBeWider = (question: Question): boolean =>
  question.kind === 'command' && !question.grave && question.proposed_rules.length > 0

function scrolled(state: ApproveState, name: string): ApproveState {
  const PAGE = 10
  switch (name) {
    case 'down':
      return { ...state, top: state.top + 1 }
    case 'up':
      return { ...state, top: Math.max(0, state.top - 1) }
    case 'page_down':
      return { ...state, top: state.top + PAGE }
    case 'page_up':
      return { ...state, top: Math.max(0, state.top - PAGE) }
    case 'home':
      return { ...state, top: 0 }
    case 'tab': {
      if (state.mode.at !== 'looking') return state
      const at = state.cards.findIndex(({ question }) => question.ask_id === state.current)
      const next = state.cards[(at + 1) % state.cards.length]?.question.ask_id ?? null
      return turnTo(state, next, state.touchedAt)
    }
    default:
      return state
  }
}

type Ruling = Extract<ApproveState['mode'], { at: 'ruling' }>

function ruled(mode: Ruling, key: Key): Ruling {
  if (named(key, 'down')) return { ...mode, row: Math.min(mode.rules.length - 1, mode.row + 1) }
  if (named(key, 'up')) return { ...mode, row: Math.max(0, mode.row - 1) }
  const rules = mode.rules.map((field: Field, i) => (i === mode.row ? typedInto(field, key) : field))
  return { ...mode, rules }
}

function decideRules(mode: Ruling, decide: Ways['decide'], back: Pressed): Pressed {
  const rules = mode.rules.map(({ text }) => text.trim()).filter(text => text !== '')
  return rules.length === 0 ? back : decide({ kind: 'approve', scope: { ...mode.scope, rules } })
}

const named = (key: Key, name: string): boolean => key.kind === 'named' && key.name === name
const char = (key: Key, char: string): boolean => key.kind === 'char' && key.char === char

/** What to start editing from: separate arguments as one line that means the same. */
function asLine(question: Question): string {
  if (question.kind !== 'command') return ''
  if (!question.args) return question.command
  const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
  return [question.command, ...question.args].map(quoted).join(' ')
}
