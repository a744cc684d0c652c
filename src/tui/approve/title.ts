import { titleOf } from '../../approving/question.ts'
import type { Question } from '../../contract/wire/approver-frames.ts'
import { drawn } from './drawn.ts'

const LONGEST_TITLE = 60

/** A question in a few words, drawn. */
export function shortTitle(question: Question): string {
  const shown = drawn(titleOf(question))
  return shown.length > LONGEST_TITLE ? `${shown.slice(0, LONGEST_TITLE)}…` : shown
}
