import { type Choice, choiceOf } from '../../approving/choices.ts'
import { approvalOf, type Decision, type DeclineKeeps, declineWith } from '../../approving/decision.ts'
import { isGrave, lineOf } from '../../approving/question.ts'
import { type ChoiceId, FIRST_MINUTES } from '../../approving/scopes.ts'
import type { DrawAs } from '../../contract/drawn-text.ts'
import type { Preview } from '../../contract/preview/preview-frames.ts'
import type { Judged, Question } from '../../contract/wire/approver-frames.ts'

/** One question in the window, what became of it, and what the person has begun to say about it. */
export type CardPhase =
  | { readonly at: 'open' }
  | { readonly at: 'sent'; readonly decision: Decision }
  | { readonly at: 'over'; readonly how: 'approved' | 'declined' | 'withdrawn'; readonly text: string }

export interface Card {
  readonly question: Question
  /** Milliseconds of the page's clock. */
  readonly askedAt: number
  readonly expiresAt: number
  readonly phase: CardPhase
  readonly draft: Draft
  /** What the host says about an edited line; it counts only for that very line. */
  readonly judged: Judged | null
  /** What a look at this machine says about it; null: nothing so far. */
  readonly preview: Preview | null
  /** The same about an edited line. */
  readonly editPreview: Preview | null
  /** Why the last answer did not count. */
  readonly problem: string | null
}

export interface Draft {
  /** What is open below the question. */
  readonly panel: 'none' | 'decline' | 'edit' | 'scope'
  readonly reason: string
  /** How long the no holds, if it is one; null: this once. */
  readonly keep: DeclineKeeps | null
  readonly line: string
  readonly choice: ChoiceId
  readonly minutes: number
  /** Of the choice, as they were changed. */
  readonly rules: readonly string[]
  /** The folder that is trusted with the answer. */
  readonly trust: string | null
  /** What was typed out for a grave command. */
  readonly typed: string
  /** Rows of a `found` question that are not to count. */
  readonly drop: readonly string[]
}

export const draftFor = (question: Question): Draft => ({
  panel: 'none',
  reason: '',
  keep: null,
  line: lineOf(question),
  choice: 'once',
  minutes: FIRST_MINUTES,
  rules: [],
  trust: null,
  typed: '',
  drop: [],
})

export const isOpen = (card: Card): boolean => card.phase.at !== 'over'

/** The line that would run instead, while it is one. */
export const editOf = ({ question, draft }: Card): string | null =>
  draft.panel === 'edit' && draft.line !== lineOf(question) ? draft.line : null

/** What the host says about the line as it is now; null until it has said something. */
export const judgedOf = (card: Card): Judged | null => (card.judged?.command === editOf(card) ? card.judged : null)

/** What a look at this machine says about the line that would run. */
export const previewOf = (card: Card): Preview | null => {
  const line = editOf(card)
  if (line === null) return card.preview
  return card.editPreview?.edited === line ? card.editPreview : null
}

/** It has to be typed out and held down: what was asked for is hard to undo, or what would run instead is. */
export const mustType = (card: Card): boolean =>
  editOf(card) === null ? isGrave(card.question) : (judgedOf(card)?.grave ?? false)

/** What the draft would send as an approval, or what this choice would; null while something is missing in it. */
export function yesOf(card: Card, graveText: string, given: Choice | null = null): Decision | null {
  const { question, draft } = card
  if (mustType(card) && draft.typed !== graveText) return null
  const typed = mustType(card) ? { typed: draft.typed } : {}
  const command = editOf(card)
  if (command !== null) {
    const plan_hash = judgedOf(card)?.plan_hash ?? null
    return plan_hash === null ? null : { kind: 'edit', command, plan_hash, ...typed }
  }
  const { trust, minutes, rules, drop } = draft
  if (given) return approvalOf(given, { trust, ...typed })
  const choice = choiceOf(question, draft.choice) ?? choiceOf(question, 'once')
  return choice && approvalOf(choice, { rules, minutes, trust, drop, ...typed })
}

/** What the draft would send as a no. One that holds for the day is given only where that stands before the person. */
export const noOf = ({ draft: { panel, reason, keep } }: Card): Decision =>
  declineWith(reason, panel === 'decline' ? keep : null)

/** How its line is drawn. Curly quotes are letters to these shells and never quotes; PowerShell takes them for quotes. */
export const drawnAs = (question: Question): DrawAs =>
  question.kind === 'command' && /(^|\/)(ba|da|z|fi)?sh$/.test(question.shell) ? 'posix' : 'command'
