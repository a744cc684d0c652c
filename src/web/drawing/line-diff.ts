import { diff, type Step } from '../../contract/diff.ts'

// Longer texts would take too long to compare word by word; then the whole is shown as removed and added.
const MOST_CELLS = 360_000

/** What an edit changed, word by word. Pure. */
export function lineDiff(before: string, after: string): Step[] {
  const whole: { kind: Step['kind']; text: string }[] = []
  for (const step of diff(wordsOf(before), wordsOf(after), MOST_CELLS)) {
    const last = whole.at(-1)
    if (last?.kind === step.kind) last.text += step.text
    else whole.push({ ...step })
  }
  return whole
}

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s\w]|\w+/gu) ?? []
