/** The word a person most likely meant, or null when none is close: one slip per three letters, at least one. */
export function closestWord(typed: string, known: Iterable<string>): string | null {
  let best: string | null = null
  let fewest = Math.max(1, Math.floor(typed.length / 3)) + 1
  for (const word of known) {
    const slips = slipsBetween(typed.toLowerCase(), word.toLowerCase(), fewest)
    if (slips < fewest) {
      best = word
      fewest = slips
    }
  }
  return best
}

/** Letters to insert, drop, change or swap with the neighbour; counting stops at `limit`. */
function slipsBetween(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const change = (row[j - 1] ?? limit) + (same ? 0 : 1)
      const swap = swapped ? (before[j - 2] ?? limit) + 1 : limit
      next.push(Math.min((row[j] ?? limit) + 1, (next[j - 1] ?? limit) + 1, change, swap))
    }
    before = row
    row = next
  }
  return row[to.length] ?? limit
}
