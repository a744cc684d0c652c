import { CHANGED_BEFORE_START, NOT_STARTED } from '../../approving/asked-again.ts'
import type { Choice } from '../../approving/choices.ts'
import { withAlarm } from '../../approving/unread-alarms.ts'
import type { AdmissionAsked } from '../../contract/wire/admission-frames.ts'
import type { AnswerFrame, Judged, Question, ToApprover } from '../../contract/wire/approver-frames.ts'
import type { LeftRun } from '../../contract/wire/left-run-frames.ts'
import { drawn } from './drawn.ts'
import type { Field } from './field.ts'
import { LET_IN_BY, WITHDRAWN } from './notices.ts'
import { titleOf } from './title.ts'

/**
 * What the terminal approver shows and waits for. Pure: what came from the host and from the keyboard in, the next state
 * out. Times are milliseconds of a clock that only grows.
 *
 *   looking ─┬─ declining ──────────┐
 *            ├─ editing ─ checking ─┤
 *            ├─ choosing ─ ruling ──┼─▶ sent ─▶ (answered | refused → where it came from)
 *            ├─ trusting ─▶ looking │
 *            └─ typing (grave) ─────┘
 */
export type Decision = AnswerFrame['decision']

export interface Checking {
  readonly at: 'checking'
  readonly command: string
  readonly judged: Judged | null
  readonly seenAll: boolean
}

/** The rules of an approval, one per line, before they are given. */
export interface Ruling {
  readonly at: 'ruling'
  readonly choice: Choice
  readonly minutes: number
  readonly rules: readonly Field[]
  readonly row: number
}

export type Mode =
  | { readonly at: 'looking' }
  /** The list of keys. */
  | { readonly at: 'keys' }
  | { readonly at: 'declining'; readonly field: Field }
  | { readonly at: 'editing'; readonly field: Field }
  /** The edited line, whole, with what the host says about it (null: not yet), before it is approved. */
  | Checking
  | { readonly at: 'choosing' }
  | Ruling
  /** The folder that is to be trusted with the answer, before it is. */
  | { readonly at: 'trusting'; readonly field: Field }
  /** A grave command: the text is typed out, then it is decided. */
  | {
      readonly at: 'typing'
      readonly field: Field
      readonly decision: Extract<Decision, { kind: 'approve' | 'edit' }>
      readonly edited: Checking | null
    }
  | { readonly at: 'sent'; readonly from: Exclude<Mode, { at: 'sent' }> }

export interface Card {
  readonly question: Question
  readonly askedAt: number
  readonly expiresAt: number
}

/** Somebody who asks to be let in as an approver. */
export interface Knock {
  readonly asked: AdmissionAsked
  readonly expiresAt: number
}

export interface ApproveState {
  readonly cards: readonly Card[]
  /** The question on the screen: it stays there until it is over or the person turns to another. */
  readonly current: string | null
  readonly mode: Mode
  /** The folder that an approval of the current question trusts as well. */
  readonly trust: string | null
  /** Values that look like secrets are on the screen. */
  readonly revealed: boolean
  readonly top: number
  /** All of the question was on the screen; before that it cannot be approved. */
  readonly seenAll: boolean
  /** The host knows that; it counts from when it hears. */
  readonly heard: boolean
  /** When a key was last pressed that does not only read on, or the question came up: no yes counts right after it. */
  readonly touchedAt: number
  /** When a letter was last typed that meant nothing here: what comes right behind it was not meant either. */
  readonly strayAt: number
  readonly notice: string | null
  readonly knocks: readonly Knock[]
  /** Stays until the person has put it away. */
  readonly alarm: string | null
  /** Commands that run on though nobody waits for them. */
  readonly left: readonly LeftRun[]
  /** What was refused without a question. */
  readonly blocked: Extract<ToApprover, { type: 'blocked_commands' }> | null
  readonly presence: Extract<ToApprover, { type: 'presence' }> | null
  readonly graveText: string
  readonly armingMs: number
  /** What to read while nobody asks. */
  readonly welcome: readonly string[]
}

export function openState(
  admitted: { readonly grave_text: string; readonly arming_ms: number },
  welcome: readonly string[] = [],
): ApproveState {
  return {
    cards: [],
    current: null,
    mode: { at: 'looking' },
    trust: null,
    revealed: false,
    top: 0,
    seenAll: false,
    heard: false,
    touchedAt: 0,
    strayAt: Number.NEGATIVE_INFINITY,
    notice: null,
    knocks: [],
    alarm: null,
    left: [],
    blocked: null,
    presence: null,
    graveText: admitted.grave_text,
    armingMs: Math.max(SHORTEST_ARMING_MS, admitted.arming_ms),
    welcome,
  }
}

const SHORTEST_ARMING_MS = 400

export const currentCard = (state: ApproveState): Card | null =>
  state.cards.find(({ question }) => question.ask_id === state.current) ?? null

export const isArmed = ({ heard, touchedAt, armingMs }: ApproveState, now: number): boolean =>
  heard && now - touchedAt >= armingMs

/** What has to be seen to its end before it can be approved: the question, or the line that is to run instead. */
export function lookedAt(state: ApproveState): { readonly key: string; readonly seenAll: boolean } | null {
  const { current, mode, seenAll } = state
  if (current === null) return null
  if (mode.at === 'looking') return { key: `${current} ${revisionOfCurrent(state)}`, seenAll }
  if (mode.at === 'checking' && mode.judged) return { key: `${current} ${mode.command}`, seenAll: mode.seenAll }
  return null
}

/** The line that would run instead, from when it is looked at until its answer counts. */
export function editedIn(mode: Mode): Checking | null {
  switch (mode.at) {
    case 'checking':
      return mode
    case 'typing':
      return mode.edited
    case 'sent':
      return editedIn(mode.from)
    case 'looking':
    case 'keys':
    case 'declining':
    case 'editing':
    case 'choosing':
    case 'ruling':
    case 'trusting':
      return null
  }
}

export function withAllSeen(state: ApproveState, now: number): ApproveState {
  const { mode } = state
  if (mode.at === 'checking') return { ...state, mode: { ...mode, seenAll: true }, touchedAt: now }
  return { ...state, seenAll: true, touchedAt: now }
}

/** Turns to a question as if it had just come: what was typed for another one never counts for this one. */
export const turnTo = (state: ApproveState, askId: string | null, now: number): ApproveState => ({
  ...state,
  current: askId,
  mode: { at: 'looking' },
  trust: null,
  revealed: false,
  top: 0,
  seenAll: false,
  heard: false,
  touchedAt: now,
})

/** The state after a frame of the host. `wallNow`: the time of day, as the host writes it. */
export function told(state: ApproveState, frame: ToApprover, now: number, wallNow: number): ApproveState {
  switch (frame.type) {
    case 'question': {
      // It may have waited long before this approver came: its time counts from when it was asked.
      const waited = Math.min(Math.max(0, wallNow - Date.parse(frame.asked_at)), frame.expires_in_ms)
      const card = { question: frame, askedAt: now - waited, expiresAt: now - waited + frame.expires_in_ms }
      const known = state.cards.find(({ question }) => question.ask_id === frame.ask_id)
      if (known && revisionOf(known.question) < revisionOf(frame)) return changed(state, card, now)
      const next = known ? state : { ...state, cards: [...state.cards, card], notice: noticeAt(state, frame) }
      return next.current === null ? turnTo(next, frame.ask_id, now) : next
    }
    case 'answered':
      return without(
        state,
        frame.ask_id,
        now,
        `${frame.outcome} by ${frame.yours ? 'you' : drawn(withoutId(frame.by))}`,
      )
    case 'not_started':
      return { ...state, notice: `last: ${NOT_STARTED}` }
    case 'withdrawn':
      return without(state, frame.ask_id, now, WITHDRAWN[frame.why])
    case 'answer_refused': {
      const notice = `Your answer did not count: ${drawn(frame.problem)}`
      if (!frame.open) return without(state, frame.ask_id, now, notice)
      if (state.current !== frame.ask_id) return { ...state, notice }
      const { mode } = state
      return { ...state, mode: mode.at === 'sent' ? mode.from : mode, touchedAt: now, notice }
    }
    case 'shown_heard':
      return state.current === frame.ask_id && revisionOfCurrent(state) === frame.revision && !state.heard
        ? { ...state, heard: true, touchedAt: now }
        : state
    case 'judged': {
      const { mode, current } = state
      if (current !== frame.ask_id || mode.at !== 'checking' || mode.command !== frame.command) return state
      return { ...state, mode: { ...mode, judged: frame, seenAll: false }, top: 0, touchedAt: now }
    }
    case 'admission_asked':
      return { ...state, knocks: [...state.knocks, { asked: frame, expiresAt: now + frame.expires_in_ms }] }
    case 'admission_over': {
      const knocks = state.knocks.filter(({ asked }) => asked.admission_id !== frame.admission_id)
      return { ...state, knocks }
    }
    case 'approver_joined':
      return { ...state, notice: `${drawn(frame.name)} may answer now, too (let in by ${LET_IN_BY[frame.how]})` }
    case 'alarm':
      return { ...state, alarm: withAlarm(state.alarm, drawn(frame.message)) }
    case 'left_running':
      return { ...state, left: frame.items }
    case 'blocked_commands':
      return { ...state, blocked: frame }
    case 'presence':
      return { ...state, presence: frame }
    case 'challenge':
    case 'code_shown':
    case 'admitted':
    case 'refused':
    case 'heartbeat':
    case 'screen_used':
    // This screen is for answers; "interactive-terminal attach" is for terminals.
    case 'terminals':
    case 'terminal_run':
    case 'terminal_output':
    case 'terminal_left':
    case 'terminal_problem':
      return state
  }
}

/** Which revision of the question is on the screen. */
export const revisionOfCurrent = (state: ApproveState): number => currentCard(state)?.question.revision ?? 0

const revisionOf = ({ revision = 0 }: Question): number => revision

/** What it says has changed: if it is the one on the screen, it has to be read anew. */
function changed(state: ApproveState, card: Card, now: number): ApproveState {
  const { ask_id } = card.question
  const cards = state.cards.map(each => (each.question.ask_id === ask_id ? card : each))
  if (state.current !== ask_id) return { ...state, cards }
  const anew = turnTo({ ...state, cards }, ask_id, now)
  // A no needs no reading, so what was typed for it stays.
  return state.mode.at === 'declining' ? { ...anew, mode: state.mode } : anew
}

/** Which of two with the same name it was is in the journal. */
const withoutId = (by: string): string => by.replace(/ \(apr_[0-9a-f]+\)$/, '')

/** The one before was approved and did not run. */
const noticeAt = ({ notice }: ApproveState, question: Question): string | null =>
  question.kind === 'command' && question.changed.length > 0
    ? `last: ${titleOf(question)} — ${CHANGED_BEFORE_START}`
    : notice

function without(state: ApproveState, askId: string, now: number, outcome: string): ApproveState {
  const gone = state.cards.find(({ question }) => question.ask_id === askId)
  if (!gone) return state
  const cards = state.cards.filter(card => card !== gone)
  const notice = `last: ${titleOf(gone.question)} — ${outcome}`
  const next = { ...state, cards, notice }
  return state.current === askId ? turnTo(next, cards[0]?.question.ask_id ?? null, now) : next
}
