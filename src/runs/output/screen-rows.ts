import { markOf, type Redaction } from '../secrets/redactor.ts'

/** A row of a screen with all its columns. */
export interface ScreenRow {
  readonly text: string
  /** It goes on where the row above has ended. */
  readonly goesOn: boolean
}

/**
 * The last `shown` rows without secrets. A row that is full up to its last column may go on below: a full-screen program breaks
 * its lines itself. The rows above the shown ones are looked at too, so that a secret that is half scrolled away is known.
 */
export function redactRows(rows: readonly ScreenRow[], shown: number, redaction: Redaction): string[] {
  let whole = ''
  const placed = rows.map((row, i) => {
    const [above, below] = [rows[i - 1], rows[i + 1]]
    if (above && !isJoined(above, row)) whole += '\n'
    const words = below && isJoined(row, below) ? row.text : row.text.trimEnd()
    const at = whole.length
    whole += words
    return { at, words }
  })

  const found = redaction.find(whole)
  const counted = new Set<number>()
  const lines = placed.slice(-shown).map(({ at, words }) => {
    const end = at + words.length
    let text = ''
    let from = at
    for (const [n, secret] of found.entries()) {
      if (secret.end <= at || secret.start >= end) continue
      text += whole.slice(from, Math.max(from, secret.start))
      // Its mark stands where the first of it is to be seen.
      if (!counted.has(n)) text += markOf(secret)
      counted.add(n)
      from = Math.min(end, secret.end)
    }
    return (text + whole.slice(from, end)).trimEnd()
  })
  redaction.took(counted.size)
  return lines
}

const isJoined = (above: ScreenRow, row: ScreenRow): boolean => row.goesOn || /\S$/.test(above.text)
