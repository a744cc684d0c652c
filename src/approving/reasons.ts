import type { CommandQuestion } from './question.ts'

type Verdict = CommandQuestion['verdict']

/** The reason for the line as a whole, unless one of its parts says the very same below. */
export function wholeReason({ why, parts = [] }: Verdict): string | null {
  const [only] = parts
  if (parts.length === 1 && only) return why === '' ? only.why : why.includes(only.why) ? why : `${why}; ${only.why}`
  return parts.some(part => part.why === why) ? null : why
}

/** The parts of a line with a reason each; a single one is said with the whole. */
export const partReasons = ({ parts = [] }: Verdict): NonNullable<Verdict['parts']> => (parts.length > 1 ? parts : [])
