import { CHANGED_BEFORE_START, NOT_STARTED, replaces } from '../../approving/asked-again.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import type { Card } from './card.ts'

/** How a question ended, in the words of the list. */
export const UNKNOWN = 'No longer open: the host was away'
export const CUT_OFF = 'Not answered here: this window was cut off'

export const over = (card: Card, how: 'approved' | 'declined' | 'withdrawn', text: string): Card => ({
  ...card,
  phase: { at: 'over', how, text },
})

/** Approved, and yet it did not run. That something changed says more. */
export const notRun = (card: Card): Card =>
  card.phase.at === 'over' && card.phase.how === 'approved' ? over(card, 'withdrawn', NOT_STARTED) : card

/** What was approved, but changed before it started, needs approval again by `question`. */
export const replacedBy = (question: Question, cards: readonly Card[]): Card[] =>
  cards.map(each => (replaces(question, each.question) ? over(each, 'withdrawn', CHANGED_BEFORE_START) : each))
