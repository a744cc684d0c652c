/** A function, as the formatter lays it out: its head ends in a brace, and the brace that closes it stands as deep as its head. */
export interface LongFunction {
  readonly line: number
  readonly lines: number
}

const HEAD = /(?:=>|\)(?::[^={}]*)?) \{$/
const STATEMENT = /^\s*(?:\}? ?(?:else )?(?:if|for|while|switch|catch)|try|do)\b/

/** Functions of more than `most` lines in which no empty line sets one step apart from the next. JSX counts as one step. */
export function withoutParagraphs(text: string, most: number): LongFunction[] {
  const lines = text.split('\n')
  return lines.flatMap((head, at) => {
    if (!HEAD.test(head) || STATEMENT.test(head)) return []
    const start = firstLineOf(lines, at)
    const indent = /^ */.exec(lines[start] ?? '')?.[0] ?? ''
    const end = lines.findIndex((line, i) => i > at && new RegExp(`^${indent}\\}`).test(line))
    const body = lines.slice(at + 1, end)
    const jsx = body.findIndex(line => /^\s*return \($/.test(line))
    const steps = jsx === -1 || !body.some(line => /^\s*<\w/.test(line)) ? body : body.slice(0, jsx)
    return end === -1 || steps.length <= most || steps.includes('') ? [] : [{ line: start + 1, lines: steps.length }]
  })
}

/** A head may be spread over several lines: `): Promise<void> {` closes what began further up, as deep. */
function firstLineOf(lines: readonly string[], at: number): number {
  const closing = /^( *)[)}]/.exec(lines[at] ?? '')
  if (!closing) return at
  for (let i = at - 1; i >= 0; i--) if (new RegExp(`^${closing[1]}\\S`).test(lines[i] ?? '')) return i
  return at
}
