import { drawnText } from '../../contract/drawn-text.ts'

/** What a rule would let through, in words: a pattern is plain words, and `*` as the last stands for any further ones. */
export function ruleReach(rule: string): string {
  const open = /(^|\s)\*\s*$/.exec(rule)
  const words = (open ? rule.slice(0, open.index) : rule).trim()
  if (words === '') return open ? 'Would allow every command. It is refused.' : 'Empty: it is left out.'
  return open ? `“${drawnText(words)}” with any further words.` : 'Exactly these words, nothing else.'
}
