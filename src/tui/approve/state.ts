import { armingTime, isArmedSince } from '../../approving/arming.ts'
import type { Choice } from '../../approving/choices.ts'
import type { Decision } from '../../approving/decision.ts'
import type { Preview } from '../../contract/preview/preview-frames.ts'
import type { AdmissionAsked } from '../../contract/wire/admission-frames.ts'
import type { Judged, Question, ToApprover } from '../../contract/wire/approver-frames.ts'
import type { LeftRun } from '../../contract/wire/left-run-frames.ts'
import type { Field } from './field.ts'

/**
 * What the terminal approver shows and waits for. Pure: what came from the host (on-frame.ts) and from the keyboard (press.ts)
 * in, the next state out. Times are milliseconds of a clock that only grows.
 *
 *   looking ─┬─ declining ──────────┐
 *            ├─ editing ─ checking ─┤
 *            ├─ choosing ─ ruling ──┼─▶ sent ─▶ (answered | refused → where it came from)
 *            ├─ trusting ─▶ looking │
 *            └─ typing (grave) ─────┘
 */
export interface Checking {
  readonly at: 'checking'
  readonly command: string
  readonly judged: Judged | null
  /** What a look at this machine says about it; below what has to be read. */
  readonly preview?: Preview
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

export type ApproveMode =
  | { readonly at: 'looking' }
  /** The list of keys. */
  | { readonly at: 'keys' }
  /** `way`: how long the no holds, by its place in what the card offers. */
  | { readonly at: 'declining'; readonly field: Field; readonly way: number }
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
  | { readonly at: 'sent'; readonly from: Exclude<ApproveMode, { at: 'sent' }> }

export interface Card {
  readonly question: Question
  readonly askedAt: number
  readonly expiresAt: number
  /** What a look at this machine says about it. */
  readonly preview?: Preview
}

/** Somebody who asks to be admitted as an approver. */
export interface ShownAdmission {
  readonly asked: AdmissionAsked
  readonly expiresAt: number
}

export interface ApproveState {
  readonly cards: readonly Card[]
  /** The question on the screen: it stays there until it is over or the person turns to another. */
  readonly current: string | null
  readonly mode: ApproveMode
  /** The folder that an approval of the current question trusts as well. */
  readonly trust: string | null
  /** Values that look like secrets are on the screen. */
  readonly revealed: boolean
  readonly top: number
  /** All of the question was on the screen; before that it cannot be approved. */
  readonly seenAll: boolean
  /** The host knows that; it counts from when it hears. */
  readonly heard: boolean
  /** When a key was last pressed that does not only read on, or the question came up: no approval counts right after it. */
  readonly touchedAt: number
  /** When a letter was last typed that meant nothing here: what comes right behind it was not meant either. */
  readonly strayAt: number
  readonly notice: string | null
  readonly admissions: readonly ShownAdmission[]
  /** Stays until the person has put it away. */
  readonly alarm: string | null
  /** Commands that run on though nobody waits for them. */
  readonly left: readonly LeftRun[]
  /** What was refused without a question. */
  readonly blocked: Extract<ToApprover, { type: 'blocked_commands' }> | null
  readonly presence: Extract<ToApprover, { type: 'presence' }> | null
  /** How many approvals in a row were given here within a second. */
  readonly reflexes: number
  readonly graveText: string
  readonly armingMs: number
  /** What to read while nobody asks. */
  readonly welcome: readonly string[]
}

/** Nothing of a question was read or typed yet. */
const JUST_COME = {
  mode: { at: 'looking' },
  trust: null,
  revealed: false,
  top: 0,
  seenAll: false,
  heard: false,
} as const

export function openState(
  admitted: { readonly grave_text: string; readonly arming_ms: number },
  welcome: readonly string[] = [],
): ApproveState {
  return {
    cards: [],
    current: null,
    ...JUST_COME,
    touchedAt: 0,
    strayAt: Number.NEGATIVE_INFINITY,
    notice: null,
    admissions: [],
    alarm: null,
    left: [],
    blocked: null,
    presence: null,
    reflexes: 0,
    graveText: admitted.grave_text,
    armingMs: armingTime(admitted.arming_ms),
    welcome,
  }
}

export const currentCard = (state: ApproveState): Card | null =>
  state.cards.find(({ question }) => question.ask_id === state.current) ?? null

export const isArmed = ({ heard, touchedAt, armingMs }: ApproveState, now: number): boolean =>
  heard && isArmedSince(touchedAt, now, armingMs)

/** What has to be seen to its end before it can be approved: the question, or the line that is to run instead. */
export function lookedAt(state: ApproveState): { readonly key: string; readonly seenAll: boolean } | null {
  const { current, mode, seenAll } = state
  if (current === null) return null
  if (mode.at === 'looking') return { key: `${current} ${revisionOfCurrent(state)}`, seenAll }
  if (mode.at === 'checking' && mode.judged) return { key: `${current} ${mode.command}`, seenAll: mode.seenAll }
  return null
}

/** The line that would run instead, from when it is looked at until its answer counts. */
export function editedIn(mode: ApproveMode): Checking | null {
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
  ...JUST_COME,
  touchedAt: now,
})

/** Which revision of the question is on the screen. */
export const revisionOfCurrent = (state: ApproveState): number => currentCard(state)?.question.revision ?? 0
