/** What an edit changed, word by word. Pure. */
export interface Change {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

// Longer texts would take too long to compare word by word; then the whole is shown as removed and added.
const MOST_WORDS = 600

export function lineDiff(before: string, after: string): Change[] {
  const a = wordsOf(before)
  const b = wordsOf(after)
  if (a.length > MOST_WORDS || b.length > MOST_WORDS)
    return joined([
      ['removed', before],
      ['added', after],
    ])
  const common = commonLengths(a, b)
  const changes: [Change['kind'], string][] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      changes.push(['same', a[i] as string])
      i++
      j++
    } else if (i < a.length && (j >= b.length || at(common, i + 1, j) >= at(common, i, j + 1))) {
      changes.push(['removed', a[i] as string])
      i++
    } else {
      changes.push(['added', b[j] as string])
      j++
    }
  }
  return joined(changes)
}

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s\w]|\w+/gu) ?? []

/** How many words the ends of both texts have in common, from each pair of places on. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (table[i] as number[])[j] =
        a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1))
  return table
}

const at = (table: number[][], i: number, j: number): number => table[i]?.[j] ?? 0

function joined(changes: readonly (readonly [Change['kind'], string])[]): Change[] {
  const whole: { kind: Change['kind']; text: string }[] = []
  for (const [kind, text] of changes) {
    const last = whole.at(-1)
    if (last?.kind === kind) last.text += text
    else if (text !== '') whole.push({ kind, text })
  }
  return whole
}
