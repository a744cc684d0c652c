/** What changed between two lists of words or lines. */
export interface Step {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** A longest common part stays; where looking for it takes more than `mostCells`, everything goes and comes. Pure. */
export function diff(before: readonly string[], after: readonly string[], mostCells: number): Step[] {
  const as = (kind: Step['kind']) => (text: string) => ({ kind, text })
  if (before.length * after.length > mostCells) return [...before.map(as('removed')), ...after.map(as('added'))]

  // longest[i][j]: how many of before from i and of after from j are common.
  const longest = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const row = longest[i]
      if (row) row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }

  const steps: Step[] = []
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const old = before[i]
    const fresh = after[j]
    const kind =
      old === fresh
        ? 'same'
        : fresh === undefined || (old !== undefined && at(i + 1, j) >= at(i, j + 1))
          ? 'removed'
          : 'added'
    steps.push({ kind, text: (kind === 'added' ? fresh : old) ?? '' })
    if (kind !== 'added') i += 1
    if (kind !== 'removed') j += 1
  }
  return steps
}
