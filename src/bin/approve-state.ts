import type { AnswerFrame, Question, ToApprover } from '../contract/approver-frames.ts'
import { drawn } from './approve-drawn.ts'
import type { Field } from './approve-field.ts'

/**
 * What the terminal approver shows and waits for. Pure: what came from the host and from the keyboard in, the next state
 * out. Times are milliseconds of a clock that only grows.
 *
 *   looking ─┬─ declining ──────────┐
 *            ├─ editing ─ checking ─┤
 *            ├─ choosing ─ ruling ──┼─▶ sent ─▶ (answered | refused → looking)
 *            └─ typing (grave) ─────┘
 */
export type Decision = AnswerFrame['decision']
export type WiderScope =
  | { readonly kind: 'terminal' | 'workspace' }
  | { readonly kind: 'time'; readonly minutes: number }

export type Mode =
  | { readonly at: 'looking' }
  | { readonly at: 'declining'; readonly field: Field; readonly since: number }
  | { readonly at: 'editing'; readonly field: Field }
  /** The edited line, whole, before it is approved. */
  | { readonly at: 'checking'; readonly command: string }
  | { readonly at: 'choosing' }
  | { readonly at: 'ruling'; readonly scope: WiderScope; readonly rules: readonly Field[]; readonly row: number }
  /** A grave command: the text is typed out, then it is decided. */
  | { readonly at: 'typing'; readonly field: Field; readonly decision: Extract<Decision, { kind: 'approve' | 'edit' }> }
  | { readonly at: 'sent'; readonly decision: Decision }

export interface Card {
  readonly question: Question
  readonly askedAt: number
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
    presence: null,
    graveText: admitted.grave_text,
    armingMs: Math.max(SHORTEST_ARMING_MS, admitted.arming_ms),
    welcome,
  }
}

const SHORTEST_ARMING_MS = 400

export const currentCard = (state: ApproveState): Card | null =>
  state.cards.find(({ question }) => question.ask_id === state.current) ?? null

export const isArmed = (state: ApproveState, now: number): boolean => now - state.touchedAt >= state.armingMs

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
      return without(state, frame.ask_id, now, `${frame.outcome} ${frame.yours ? 'by you' : `by ${drawn(frame.by)}`}`)
    case 'withdrawn':
      return without(state, frame.ask_id, now, WITHDRAWN[frame.why])
    case 'answer_refused': {
      const notice = `Your answer did not count: ${drawn(frame.problem)}`
      if (!frame.open) return without(state, frame.ask_id, now, notice)
      if (state.current !== frame.ask_id) return { ...state, notice }
      return { ...state, mode: afterRefusal(state, frame.problem), touchedAt: now, notice }
    }
    case 'presence':
      return { ...state, presence: frame }
    case 'challenge':
    case 'admitted':
    case 'refused':
    case 'heartbeat':
      return state
  }
}

/** An edited line may be graver than the one that was asked for: then it is typed out, and nothing is lost. */
function afterRefusal({ mode, graveText }: ApproveState, problem: string): Mode {
  if (mode.at !== 'sent' || mode.decision.kind === 'decline') return { at: 'looking' }
  const { decision } = mode
  if (decision.typed === undefined && problem.includes(graveText))
    return { at: 'typing', field: { text: '', caret: 0 }, decision }
  return decision.kind === 'edit' ? { at: 'checking', command: decision.command } : { at: 'looking' }
}

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
