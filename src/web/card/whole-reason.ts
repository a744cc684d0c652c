import type { CommandQuestion } from '../state/card.ts'

/** The reason for the line as a whole, unless one of its parts says the very same below. */
export function wholeReason({ why, parts = [] }: CommandQuestion['verdict']): string | null {
  const [only] = parts
  if (parts.length === 1 && only) return why === '' ? only.why : why.includes(only.why) ? why : `${why}; ${only.why}`
  return parts.some(part => part.why === why) ? null : why
}
