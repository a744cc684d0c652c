const BETWEEN_TOKENS = /^(?:[ \t\n]|&&|\|\|?&?|;|(?<=^|[ \t\n])#[^\n]*(?=\n|$))*$/

/** The first text of a line that no token accounts for, where more than operators, blanks and comments lie there. */
export function uncoveredText(line: string, tokens: readonly { pos: number; end: number }[]): string | null {
  let at = 0
  for (const token of [...[...tokens].sort((a, b) => a.pos - b.pos), { pos: line.length, end: line.length }]) {
    const gap = line.slice(at, token.pos)
    if (token.pos < at || !BETWEEN_TOKENS.test(gap)) return JSON.stringify(gap.slice(0, 20))
    at = token.end
  }
  return null
}
