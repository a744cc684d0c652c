import { drawnText } from '../../contract/drawn-text.ts'

/** What a rule would allow, in words: a rule is a list of words; a final `*` allows any further arguments. */
export function ruleReach(rule: string): string {
  const open = /(^|\s)\*\s*$/.exec(rule)
  const words = (open ? rule.slice(0, open.index) : rule).trim()
  if (words === '') return open ? 'Would allow every command. It is refused.' : 'Empty: it is left out.'
  return open ? `“${drawnText(words)}” with any further arguments.` : 'Exactly these words, nothing else.'
}
