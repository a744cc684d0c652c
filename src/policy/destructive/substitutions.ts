import type { Effort } from '../model/effort.ts'

/** The text in `$(…)`, `<(…)` or backticks, and where they end. `shown`: what stands for an output that is not known. */
export type Substitution = { readonly inner: string; readonly end: number; readonly shown: string }

export function substitutionAt(text: string, start: number, effort: Effort): Substitution | null {
  if (text[start] === '`') {
    const close = closingAt(text, start, '`', effort)
    return { inner: text.slice(start + 1, close).replace(/\\([`\\$])/g, '$1'), end: close + 1, shown: '`…`' }
  }
  if (text[start + 1] !== '(') return null
  const close = closingAt(text, start, ')', effort)
  return { inner: text.slice(start + 2, close), end: close + 1, shown: '$(…)' }
}

/** Where the substitution or quote that starts at `start` is closed; the end of the text where it is not. */
export function closingAt(text: string, start: number, closer: ')' | '`' | "'", effort: Effort): number {
  let depth = 0
  for (let at = start + (closer === '`' ? 1 : 2); at < text.length; at += 1) {
    if (!effort.spend(1)) break
    const char = text[at]
    if (char === '\\') at += 1
    else if (char === closer && depth === 0) return at
    else if (closer === ')' && char === '(') depth += 1
    else if (closer === ')' && char === ')') depth -= 1
  }
  return text.length
}
