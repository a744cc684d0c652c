import type { AdmissionAsked, AnswerFrame, Judged, Question, ToApprover } from '../contract/approver-frames.ts'
import { drawn } from './approve-drawn.ts'
import type { Field } from './approve-field.ts'

/**
 * What the terminal approver shows and waits for. Pure: what came from the host and from the keyboard in, the next state
 * out. Times are milliseconds of a clock that only grows.
 *
 *   looking ─┬─ declining ──────────┐
 *            ├─ editing ─ checking ─┤
 *            ├─ choosing ─ ruling ──┼─▶ sent ─▶ (answered | refused → where it came from)
 *            └─ typing (grave) ─────┘
 */
export type Decision = AnswerFrame['decision']
export type WiderScope =
  | { readonly kind: 'terminal' | 'workspace' }
  | { readonly kind: 'time'; readonly minutes: number }

export interface Checking {
  readonly at: 'checking'
  readonly command: string
  readonly judged: Judged | null
  readonly seenAll: boolean
}

export type Mode =
  | { readonly at: 'looking' }
  | { readonly at: 'declining'; readonly field: Field; readonly since: number }
  | { readonly at: 'editing'; readonly field: Field }
  /** The edited line, whole, with what the host says about it (null: not yet), before it is approved. */
  | Checking
  | { readonly at: 'choosing' }
  | { readonly at: 'ruling'; readonly scope: WiderScope; readonly rules: readonly Field[]; readonly row: number }
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
  readonly top: number
  /** All of the question was on the screen; before that it cannot be approved. */
  readonly seenAll: boolean
  /** When a key was last pressed, or the question came up: nothing decides right after it. */
  readonly touchedAt: number
  readonly notice: string | null
  readonly knocks: readonly Knock[]
  /** Stays until the person has put it away. */
  readonly alarm: string | null
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
    top: 0,
    seenAll: false,
    touchedAt: 0,
    notice: null,
    knocks: [],
    alarm: null,
    presence: null,
    graveText: admitted.grave_text,
    armingMs: Math.max(SHORTEST_ARMING_MS, admitted.arming_ms) + ON_THE_WAY_MS,
    welcome,
  }
}

const SHORTEST_ARMING_MS = 400
// The host counts from when it hears that a question was shown, which is a little later than here.
const ON_THE_WAY_MS = 100

export const currentCard = (state: ApproveState): Card | null =>
  state.cards.find(({ question }) => question.ask_id === state.current) ?? null

export const isArmed = (state: ApproveState, now: number): boolean => now - state.touchedAt >= state.armingMs

/** What has to be seen to its end before it can be approved: the question, or the line that is to run instead. */
export function lookedAt(state: ApproveState): { readonly key: string; readonly seenAll: boolean } | null {
  const { current, mode, seenAll } = state
  if (current === null) return null
  if (mode.at === 'looking') return { key: current, seenAll }
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
    case 'declining':
    case 'editing':
    case 'choosing':
    case 'ruling':
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
  top: 0,
  seenAll: false,
  touchedAt: now,
})

/** The state after a frame of the host. `wallNow`: the time of day, as the host writes it. */
export function told(state: ApproveState, frame: ToApprover, now: number, wallNow: number): ApproveState {
  switch (frame.type) {
    case 'question': {
      // It may have waited long before this approver came: its time counts from when it was asked.
      const waited = Math.min(Math.max(0, wallNow - Date.parse(frame.asked_at)), frame.expires_in_ms)
      const card = { question: frame, askedAt: now - waited, expiresAt: now - waited + frame.expires_in_ms }
      const known = state.cards.some(({ question }) => question.ask_id === frame.ask_id)
      const next = known ? state : { ...state, cards: [...state.cards, card] }
      return next.current === null ? turnTo(next, frame.ask_id, now) : next
    }
    case 'answered':
      return without(
        state,
        frame.ask_id,
        now,
        `${frame.outcome} by ${frame.yours ? 'you' : drawn(withoutId(frame.by))}`,
      )
    case 'withdrawn':
      return without(state, frame.ask_id, now, WITHDRAWN[frame.why])
    case 'answer_refused': {
      const notice = `Your answer did not count: ${drawn(frame.problem)}`
      if (!frame.open) return without(state, frame.ask_id, now, notice)
      if (state.current !== frame.ask_id) return { ...state, notice }
      const { mode } = state
      return { ...state, mode: mode.at === 'sent' ? mode.from : mode, touchedAt: now, notice }
    }
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
      return { ...state, alarm: drawn(frame.message) }
    case 'presence':
      return { ...state, presence: frame }
    case 'challenge':
    case 'code_shown':
    case 'admitted':
    case 'refused':
    case 'heartbeat':
    // This screen is for answers; "interactive-terminal attach" is for terminals.
    case 'terminals':
    case 'terminal_run':
    case 'terminal_output':
    case 'terminal_left':
    case 'terminal_problem':
      return state
  }
}

const LET_IN_BY = {
  passphrase: 'the passphrase',
  code: 'a code',
  own_terminal: 'having started the host',
  ticket: 'the host, which opened it',
} as const

/** Which of two with the same name it was is in the journal. */
const withoutId = (by: string): string => by.replace(/ \(apr_[0-9a-f]+\)$/, '')

const WITHDRAWN = {
  cancelled: 'withdrawn: the agent no longer wants it',
  asker_gone: 'withdrawn: whoever asked is gone',
  expired: 'expired without an answer: it did not run',
  host_ends: 'withdrawn: the host ends',
} as const

function without(state: ApproveState, askId: string, now: number, outcome: string): ApproveState {
  const gone = state.cards.find(({ question }) => question.ask_id === askId)
  if (!gone) return state
  const cards = state.cards.filter(card => card !== gone)
  const notice = `last: ${titleOf(gone.question)} — ${outcome}`
  const next = { ...state, cards, notice }
  return state.current === askId ? turnTo(next, cards[0]?.question.ask_id ?? null, now) : next
}

const LONGEST_TITLE = 60

/** A question in a few words. */
export function titleOf(question: Question): string {
  const text =
    question.kind === 'rules'
      ? `rules of ${question.workspace_id}`
      : question.kind === 'pairing'
        ? `pairing of ${question.name}`
        : question.intent === 'open_only'
          ? 'a shell'
          : [question.command, ...(question.args ?? [])].join(' ')
  const shown = drawn(text)
  return shown.length > LONGEST_TITLE ? `${shown.slice(0, LONGEST_TITLE)}…` : shown
}
