import { NO_RULE } from '../contract/verdict-words.ts'
import type { CommandQuestion } from './question.ts'

type CardVerdict = CommandQuestion['verdict']

/** Above the reasons of the gate. */
export const WHY_ASKED = 'Why it needs approval'

/** The reason for the line as a whole, unless one of its parts says the very same below. */
export function wholeReason({ why, parts = [] }: CardVerdict): string | null {
  const [only] = parts
  if (parts.length === 1 && only) return why === '' ? only.why : why.includes(only.why) ? why : `${why}; ${only.why}`
  return parts.some(part => part.why === why) ? null : why
}

/** The same where it tells more than that nobody has decided about such a line yet: that stands among the details. */
export function tellingReason(verdict: CardVerdict): string | null {
  const whole = wholeReason(verdict)
  return whole === null || whole === '' || whole === NO_RULE || isOfOnePart(whole, verdict) ? null : whole
}

/** `id: no rule covers it` is said of the part itself, by its number. */
const isOfOnePart = (whole: string, { parts = [] }: CardVerdict): boolean =>
  parts.length > 1 && parts.some(({ why }) => whole.endsWith(`: ${why}`))

/** The parts of a line with a reason each; a single one is said with the whole. */
export const partReasons = ({ parts = [] }: CardVerdict): NonNullable<CardVerdict['parts']> =>
  parts.length > 1 ? parts : []
